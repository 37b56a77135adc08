/** Attempts that are not recorded yet, with what was said in them so far. */
import * as l10n from '@vscode/l10n';
import type { ShownUnderWay } from '../../src/features/attempts/contract.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import { count, plural } from '../charts/format.ts';
import { element } from '../lib/element.ts';

export class UnderWay {
  readonly node: HTMLElement;
  readonly #heading = element('h2', { id: 'under-way' });
  readonly #list = element('div', { class: 'under-way-list' });

  constructor() {
    this.node = element('section', { class: 'under-way', 'aria-labelledby': 'under-way' }, this.#heading, this.#list);
    this.node.hidden = true;
  }

  show(attempts: readonly ShownUnderWay[]): void {
    this.node.hidden = attempts.length === 0;
    this.#heading.textContent = l10n.t('Under way: {0}', count(attempts.length));
    this.#list.replaceChildren(
      ...attempts.map(({ name, said, turns }) =>
        element(
          'article',
          { 'aria-label': name },
          element('h3', {}, `${name} · ${plural(said, l10n.t('turn'), l10n.t('turns'))}`),
          ...turns.map(({ speaker, text }) =>
            element(
              'p',
              {},
              element('span', { class: 'speaker' }, speaker),
              element('span', { class: 'said' }, withMarksShown(text)),
            ),
          ),
        ),
      ),
    );
  }
}
