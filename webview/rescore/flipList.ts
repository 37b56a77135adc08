/** Flips, and families that enter or leave the band, as one long list with a choice of views. */
import * as l10n from '@vscode/l10n';
import {
  rescoreViews,
  type RescoreResult,
  type RescoreRow,
  type RescoreView,
} from '../../src/features/rescore/contract/page.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import { PagedRows } from '../lib/lists/pagedRows.ts';
import { VirtualList } from '../lib/lists/virtualList.ts';
import { flipRow, rowHeight } from './flipRow.ts';

export interface FlipListActions {
  rows: (view: RescoreView, from: number, to: number) => Promise<readonly RescoreRow[]>;
  open: (view: RescoreView, row: number) => void;
  chosen: (view: RescoreView) => void;
  failed: (error: unknown) => void;
}

const titles = (): Record<RescoreView, string> => ({
  flips: l10n.t('All flips'),
  solved: l10n.t('To solved'),
  failed: l10n.t('To not solved'),
  error: l10n.t('To not judged'),
  moved: l10n.t('Largest moves'),
  turned: l10n.t('Advantages that turn'),
  families: l10n.t('Families at the band'),
});

export class FlipList {
  readonly node: HTMLElement;
  readonly #actions: FlipListActions;
  readonly #buttons = new Map<RescoreView, HTMLButtonElement>();
  readonly #list: VirtualList;
  readonly #rows: PagedRows<RescoreRow>;
  readonly #none = element('p', { class: 'quiet none', hidden: '' }, l10n.t('There are none.'));
  #view: RescoreView;
  #result: RescoreResult | null = null;

  constructor(view: RescoreView, actions: FlipListActions) {
    this.#view = view;
    this.#actions = actions;
    this.#rows = new PagedRows({
      ask: (from, to) => actions.rows(this.#view, from, to),
      arrived: () => this.#list.refresh(),
      failed: actions.failed,
    });
    this.#list = new VirtualList({
      name: l10n.t('What changes'),
      rowHeight,
      multiple: false,
      row: (index) => {
        const row = this.#rows.at(index);
        return row === undefined ? null : flipRow(row, index === this.#list.active);
      },
      need: (from, to) => this.#rows.need(from, to),
      go: () => this.#list.refresh(),
      choose: (row) => actions.open(this.#view, row),
    });
    const group = element('div', { class: 'views', role: 'group', 'aria-label': l10n.t('What the list shows') });
    for (const one of rescoreViews) {
      const button = element('button', { type: 'button', class: 'button' });
      button.addEventListener('click', () => this.#choose(one));
      this.#buttons.set(one, button);
      group.append(button);
    }
    this.node = element(
      'section',
      { class: 'changes' },
      group,
      this.#none,
      this.#list.node,
      element(
        'p',
        { class: 'quiet keys' },
        l10n.t('Arrows move in the list. Enter opens the trace with the reward beside it, or the family in the tree.'),
      ),
    );
  }

  get view(): RescoreView {
    return this.#view;
  }

  /** Of another result than before. */
  show(result: RescoreResult): void {
    this.#result = result;
    this.#draw();
  }

  #choose(view: RescoreView): void {
    this.#view = view;
    this.#actions.chosen(view);
    this.#draw();
  }

  #draw(): void {
    const rows = this.#result?.rows;
    if (rows === undefined) return;
    for (const [view, button] of this.#buttons) {
      button.textContent = `${titles()[view]} ${count(rows[view])}`;
      button.setAttribute('aria-pressed', String(view === this.#view));
    }
    this.#rows.clear();
    this.#list.setCount(rows[this.#view]);
    this.#list.node.hidden = rows[this.#view] === 0;
    this.#none.hidden = rows[this.#view] > 0;
    this.#list.refresh();
  }
}
