/** The page of a search: the query, its progress, its hits. */
import * as l10n from '@vscode/l10n';
import type { QueryProblem } from '../../src/features/search/contract/traceQuery.ts';
import type { SearchPageState, SearchRow } from '../../src/features/search/contract/page.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import { PagedRows } from '../lib/lists/pagedRows.ts';
import { VirtualList } from '../lib/lists/virtualList.ts';
import { hitRow, rowHeight } from './hitRow.ts';
import { QueryField } from './queryField.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

export interface PageActions {
  /** @returns the fault of an invalid query; then the earlier search stays */
  search: (text: string) => Promise<QueryProblem | null>;
  stop: () => void;
  rows: (from: number, to: number) => Promise<readonly SearchRow[]>;
  open: (row: number) => void;
}

export class Page {
  readonly node: HTMLElement;
  readonly #field: QueryField;
  readonly #where = element('span', { class: 'where' });
  readonly #found = element('span', { class: 'found', role: 'status' });
  readonly #bar = element('progress', { max: '1', 'aria-label': l10n.t('Searching'), hidden: '' });
  readonly #stop: HTMLButtonElement;
  readonly #notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #empty = element('p', { class: 'quiet empty', hidden: '' });
  readonly #list: VirtualList;
  readonly #rows: PagedRows<SearchRow>;
  #search = -1;

  constructor(actions: PageActions) {
    this.#field = new QueryField(actions.search, (error) => this.tell(error.message));
    this.#stop = iconButton('debug-stop', l10n.t('Stop the search'), actions.stop);
    this.#rows = new PagedRows({
      ask: actions.rows,
      arrived: () => this.#list.refresh(),
      failed: (error) => this.tell(messageOf(error)),
    });
    this.#list = new VirtualList({
      name: l10n.t('What was found'),
      rowHeight,
      multiple: false,
      row: (index) => {
        const row = this.#rows.at(index);
        return row === undefined ? null : hitRow(row, index === this.#list.active);
      },
      need: (from, to) => this.#rows.need(from, to),
      go: () => this.#list.refresh(),
      choose: actions.open,
    });
    this.node = element(
      'div',
      { class: 'page' },
      this.#field.node,
      element('p', { class: 'state' }, this.#found, this.#where, this.#bar, this.#stop),
      this.#notice,
      this.#empty,
      this.#list.node,
      element(
        'p',
        { class: 'quiet keys' },
        l10n.t('Arrows move in the list. Enter opens what was found at its place.'),
      ),
    );
  }

  show(state: SearchPageState): void {
    const { search, rows, share, run, runName, text, failure, history } = state;
    this.#notice.hidden = true;
    if (search !== this.#search) {
      this.#search = search;
      this.#rows.clear();
      this.#field.set(text);
    } else if (rows !== this.#list.count) this.#rows.refresh();
    this.#field.suggest(history);
    this.#list.setCount(rows);
    this.#bar.hidden = this.#stop.hidden = share === null;
    if (share !== null) this.#bar.value = share;
    this.#found.textContent = run === null ? '' : foundText(state);
    this.#where.textContent = run === null ? '' : l10n.t('in “{0}”', runName);
    this.#list.node.hidden = rows === 0;
    this.#empty.hidden = rows > 0 || share !== null;
    this.#empty.textContent =
      run === null
        ? l10n.t('No search yet. Run “Search Traces…” from the palette.')
        : l10n.t('No trace or task matches. Remove a term, or search for part of a word.');
    if (failure !== null) this.tell(l10n.t('The search failed: {0}', failure));
  }

  /** Shows an error. */
  tell(text: string): void {
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }
}

function foundText({ traces, tasks, limited, stopped }: SearchPageState): string {
  return [
    traces === 1 ? l10n.t('1 trace') : l10n.t('{0} traces', count(traces)),
    ...(tasks === 0 ? [] : [tasks === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count(tasks))]),
    ...(limited ? [l10n.t('there are more')] : []),
    ...(stopped ? [l10n.t('stopped')] : []),
  ].join(' · ');
}
