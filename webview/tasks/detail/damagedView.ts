/** A line of a task file that is no task: its fault, its beginning, and a button to fix it. */
import * as l10n from '@vscode/l10n';
import { withMarksShown } from '../../../src/shared/text/hiddenMarks.ts';
import type { TaskDamage } from '../../../src/features/tasks/contract.ts';
import { count } from '../../../src/shared/text/figures/numbers.ts';
import { iconButton } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';
import { remarksList } from './remarksList.ts';

export interface DamagedHost {
  openAsText: () => void;
  back: () => void;
}

export class DamagedView {
  readonly node: HTMLElement;
  readonly #title = element('h2', { tabindex: '-1' });
  readonly #faults = remarksList();
  readonly #text = element('pre', {
    class: 'damaged-text',
    tabindex: '0',
    'aria-label': l10n.t('How the line begins'),
  });

  constructor(host: DamagedHost) {
    const back = iconButton('arrow-left', l10n.t('Back to the list (Esc)'), () => host.back());
    back.classList.add('back');
    const open = element('button', { type: 'button', class: 'button damaged-open' }, l10n.t('Open as Text'));
    open.addEventListener('click', () => host.openAsText());
    this.node = element(
      'article',
      { class: 'detail-body', hidden: '' },
      element('header', { class: 'detail-head' }, element('div', { class: 'detail-title' }, back, this.#title)),
      element('p', { class: 'quiet' }, l10n.t('It is left out of the tasks, and saving keeps it as it is.')),
      this.#faults.node,
      open,
      this.#text,
    );
  }

  show({ line, faults, text }: TaskDamage): void {
    this.#title.textContent = l10n.t('Line {0} is damaged', count(line));
    this.#faults.show(faults.map((fault) => ({ ...fault, field: '', severity: 'error' })));
    this.#text.textContent = withMarksShown(text);
  }

  focus(): void {
    this.#title.focus();
  }
}
