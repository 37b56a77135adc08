/** The page of an evaluation: its subject, progress, scores, the paper's figures, wrong answers. */
import * as l10n from '@vscode/l10n';
import type { EvaluationFailure, EvaluationState } from '../../src/features/evaluation/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import { PagedRows } from '../lib/lists/pagedRows.ts';
import { VirtualList } from '../lib/lists/virtualList.ts';
import { detailSections } from './detailSection.ts';
import { failureRow, rowHeight } from './failureRow.ts';
import { paperSection } from './paperSection.ts';
import { scoreSection } from './scoreSection.ts';
import { settingsText, stateText } from './words.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

export interface PageActions {
  failures: (from: number, to: number) => Promise<readonly EvaluationFailure[]>;
  open: (id: string) => void;
  goOn: () => void;
  stop: () => void;
  compare: () => void;
}

export class Page {
  readonly node: HTMLElement;
  readonly #heading = element('h1');
  readonly #settings = element('p', { class: 'quiet' });
  readonly #state = element('p', { class: 'state', role: 'status' });
  readonly #bar = element('progress', { 'aria-label': l10n.t('Evaluating'), hidden: '' });
  readonly #notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #goOn: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #scores = element('div', { class: 'scores' });
  readonly #wrongHeading = element('h2');
  readonly #list: VirtualList;
  readonly #rows: PagedRows<EvaluationFailure>;
  readonly #body: HTMLElement;

  constructor(actions: PageActions) {
    this.#goOn = button(l10n.t('Go On'), actions.goOn);
    this.#goOn.classList.add('button-primary');
    this.#stop = button(l10n.t('Stop'), actions.stop);
    const compare = button(l10n.t('Compare with Another…'), actions.compare);
    this.#rows = new PagedRows({
      ask: actions.failures,
      arrived: () => this.#list.refresh(),
      failed: (error) => this.tell(messageOf(error)),
    });
    this.#list = new VirtualList({
      ...{ name: l10n.t('Wrong attempts'), rowHeight, multiple: false },
      row: (index) => {
        const row = this.#rows.at(index);
        return row === undefined ? null : failureRow(row, index === this.#list.active);
      },
      need: (from, to) => this.#rows.need(from, to),
      go: () => this.#list.refresh(),
      choose: (index) => {
        const row = this.#rows.at(index);
        if (row !== undefined) actions.open(row.id);
      },
    });
    this.#body = element('div', { class: 'body', hidden: '' }, this.#scores, this.#wrongHeading, this.#list.node);
    this.node = element(
      'div',
      { class: 'page' },
      element(
        'header',
        {},
        this.#heading,
        this.#settings,
        element('div', { class: 'bar' }, this.#state, this.#bar, this.#goOn, this.#stop, compare),
      ),
      this.#notice,
      this.#body,
    );
    for (const one of [this.#goOn, this.#stop]) one.hidden = true;
  }

  show(state: EvaluationState): void {
    const { benchmark, policy, running, canContinue, failing, damaged } = state;
    this.#body.hidden = false;
    this.#notice.hidden = damaged.length === 0;
    this.#notice.textContent = damaged.join('\n');
    this.#heading.textContent = l10n.t('{0} on {1}', policy.version, benchmark);
    this.#settings.textContent = settingsText(state);
    this.#state.textContent = stateText(state);
    this.#bar.hidden = !running;
    // A button that goes while it has the focus hands it to the one that takes its place.
    const focused = document.activeElement;
    this.#stop.hidden = !running;
    this.#goOn.hidden = !canContinue;
    if (focused === this.#stop && !running) this.#goOn.focus();
    if (focused === this.#goOn && running) this.#stop.focus();
    this.#showScores(state);
    this.#wrongHeading.textContent =
      failing === 0 ? l10n.t('Every attempt so far is right') : l10n.t('Not right: {0}', count(failing));
    this.#list.node.hidden = failing === 0;
    this.#list.setCount(failing);
    this.#rows.refresh();
  }

  /** Sections opened by the user stay open. */
  #showScores(state: EvaluationState): void {
    const before = [...this.#scores.querySelectorAll('details')].map(({ open }) => open);
    const details = detailSections(state);
    for (const [at, node] of details.entries()) node.toggleAttribute('open', before[at] ?? false);
    this.#scores.replaceChildren(scoreSection(state), ...paperSection(state), ...details);
  }

  /** Its progress while it runs. */
  progress({ done, total, right }: { done: number; total: number; right: number }): void {
    this.#bar.hidden = false;
    this.#bar.max = Math.max(1, total);
    this.#bar.value = done;
    this.#state.textContent = l10n.t('{0} of {1} attempts, {2} right', count(done), count(total), count(right));
  }

  /** Shows an error. */
  tell(text: string): void {
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }
}

function button(text: string, act: () => void): HTMLButtonElement {
  const node = element('button', { type: 'button', class: 'button' }, text);
  node.addEventListener('click', act);
  return node;
}
