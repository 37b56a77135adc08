/** The list of tasks: rows loaded when visible, the selection, the context menu. */
import * as l10n from '@vscode/l10n';
import { append } from '../../src/shared/append.ts';
import type { TaskRow } from '../../src/features/tasks/contract.ts';
import { PagedRows } from '../lib/lists/pagedRows.ts';
import { VirtualList, type Going } from '../lib/lists/virtualList.ts';
import type { Target } from './actionBar.ts';
import { rowHeight, rowView } from './rowView.ts';
import { Selection } from './selection.ts';

export interface ListHost {
  rows: (from: number, to: number) => Promise<TaskRow[]>;
  /** The user came to a task. */
  went: (row: TaskRow) => void;
  /** A person wants to see the task itself. */
  chose: () => void;
  selected: () => void;
  menu: (target: Target, at: { x: number; y: number }, row: TaskRow) => void;
  /** Attempts are recorded where these tasks come from. */
  attempted: () => boolean;
  /** It has text that is not in it yet. */
  unsaved: (id: string) => boolean;
  failed: (error: unknown) => void;
  say: (text: string) => void;
}

/** Tasks that are selected one by one, at most; beyond that everything that matches. */
const mostSelected = 20_000;
const chunk = 2000;

export class TaskList {
  readonly node: HTMLElement;
  readonly #host: ListHost;
  readonly #list: VirtualList;
  readonly #rows: PagedRows<TaskRow>;
  readonly #selection = new Selection();
  /** The text of the filter that the rows match. */
  #filter = '';
  /** The target row of the user, before its content is known. */
  #going: number | null = null;

  constructor(host: ListHost) {
    this.#host = host;
    this.#rows = new PagedRows({
      ask: (from, to) => host.rows(from, Math.min(to, this.#list.count)),
      arrived: () => this.#arrived(),
      failed: (error) => host.failed(error),
    });
    this.#list = new VirtualList({
      name: l10n.t('Tasks'),
      rowHeight,
      multiple: true,
      row: (index) => {
        const row = this.#rows.at(index);
        if (row === undefined) return null;
        const { id } = row;
        const selected = this.#selection.has(id);
        return rowView(row, { selected, unsaved: host.unsaved(id), attempted: host.attempted() });
      },
      need: (from, to) => this.#rows.need(from, to),
      go: (index, how) => this.#go(index, how),
      choose: () => host.chose(),
      toggle: (index) => void this.#toggle(index),
      menu: (index, at) => {
        const row = this.#rows.at(index);
        if (row === undefined) return;
        if (!this.#selection.has(row.id)) this.#go(index, { extend: false, keep: false });
        host.menu(this.target, at, row);
      },
    });
    this.node = this.#list.node;
    this.node.addEventListener('keydown', (event) => {
      if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
        this.#selection.all();
        this.#told();
      } else if (event.key !== 'Escape' || !this.clear()) return;
      event.preventDefault();
    });
  }

  get target(): Target {
    const { wanted } = this.#selection;
    const { count } = this.#list;
    return { ids: wanted === 'all' ? { all: this.#filter, count } : wanted, size: this.#selection.size(count) };
  }

  /** Another filter or order: earlier rows are void. */
  reset(matching: number, filter: string): void {
    this.#filter = filter;
    this.#rows.clear();
    this.#going = null;
    if (this.#selection.wanted === 'all') this.#selection.only([]);
    this.#selection.anchor = 0;
    this.#list.setCount(matching);
    this.#host.selected();
  }

  /** Rows changed, or some came or went. */
  changed(matching: number): void {
    this.#rows.refresh();
    this.#list.setCount(matching);
    this.#told();
  }

  /** The part of the rows that is not from the host changed. */
  redraw(): void {
    this.#list.refresh();
  }

  /** Goes to a row as if a person had, without taking the focus. */
  show(index: number): void {
    this.#list.show(index);
    this.#go(index, { extend: false, keep: false });
  }

  /** The keyboard's row, where its task stands now; nothing is scrolled and nothing selected. */
  follow(index: number): void {
    this.#list.follow(index);
  }

  focus(): void {
    this.#list.focus();
  }

  /** Only the task that the keyboard is at; false when it was so before. */
  clear(): boolean {
    if (this.target.size < 2) return false;
    const row = this.#rows.at(this.#list.active);
    this.#selection.only(row === undefined ? [] : [row.id]);
    this.#told();
    return true;
  }

  /** Ids of the target. Null when there are too many to name, which was reported. */
  async idsOf({ ids, size }: Target): Promise<string[] | null> {
    return Array.isArray(ids) ? ids : this.#between(0, size - 1);
  }

  #go(index: number, { extend, keep }: Going): void {
    this.#going = null;
    if (extend) void this.#extend(index);
    if (extend || keep) return;
    this.#selection.anchor = index;
    this.#going = index;
    this.#arrive();
  }

  /** Once it is known which task it is. */
  #arrive(): void {
    const row = this.#going === null ? undefined : this.#rows.at(this.#going);
    if (row === undefined) return;
    this.#going = null;
    this.#selection.only([row.id]);
    this.#host.went(row);
    this.#told();
  }

  async #toggle(index: number): Promise<void> {
    const row = this.#rows.at(index);
    if (row === undefined) return;
    this.#selection.anchor = index;
    if (this.#selection.wanted === 'all') {
      const ids = await this.#between(0, this.#list.count - 1);
      if (ids === null) return;
      this.#selection.only(ids);
    }
    this.#selection.toggle(row.id);
    this.#told();
  }

  async #extend(index: number): Promise<void> {
    const { anchor } = this.#selection;
    const ids = await this.#between(Math.min(anchor, index), Math.max(anchor, index));
    if (ids === null || index !== this.#list.active) return;
    this.#selection.only(ids);
    this.#told();
  }

  /** Ids of rows from one to another, both included. */
  async #between(first: number, last: number): Promise<string[] | null> {
    if (last - first >= mostSelected) {
      this.#host.say(l10n.t('So many tasks can only be selected together: Ctrl+A selects everything that matches.'));
      return null;
    }
    const ids: string[] = [];
    try {
      for (let from = first; from <= last; from += chunk) {
        const to = Math.min(last + 1, from + chunk);
        const known = Array.from({ length: to - from }, (_, i) => this.#rows.at(from + i));
        const rows = known.every((row) => row !== undefined) ? known : await this.#host.rows(from, to);
        append(
          ids,
          rows.map(({ id }) => id),
        );
      }
    } catch (error) {
      this.#host.failed(error);
      return null;
    }
    return ids;
  }

  #arrived(): void {
    this.#list.refresh();
    this.#arrive();
  }

  #told(): void {
    this.#list.refresh();
    this.#host.selected();
  }
}
