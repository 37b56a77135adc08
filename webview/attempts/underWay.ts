/** Attempts that are not recorded yet, with what was said in them so far. */
import * as l10n from '@vscode/l10n';
import type { ShownUnderWay } from '../../src/features/attempts/contract.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import { count, plural } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';

export class UnderWay {
  readonly node: HTMLElement;
  readonly #heading = element('h2', { id: 'under-way' });
  readonly #list = element('div', { class: 'under-way-list' });
  readonly #section = element(
    'section',
    { class: 'under-way', 'aria-labelledby': 'under-way' },
    this.#heading,
    this.#list,
  );
  readonly #elsewhere = element(
    'p',
    { class: 'quiet' },
    l10n.t('Another process executes this run. Its attempts appear here once they are recorded.'),
  );

  constructor() {
    this.node = element('div', {}, this.#elsewhere, this.#section);
    this.#section.hidden = this.#elsewhere.hidden = true;
  }

  show({ attempts, first, elsewhere }: ShownUnderWay): void {
    this.#elsewhere.hidden = !elsewhere;
    this.#section.hidden = attempts === 0;
    this.#heading.textContent =
      first.length === attempts
        ? l10n.t('Under way: {0}', count(attempts))
        : l10n.t('Under way: {0}, the first {1} shown', count(attempts), count(first.length));
    this.#list.replaceChildren(
      ...first.map(({ name, said, turns }) =>
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
