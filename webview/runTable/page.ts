/** The table of runs, assembled: the host's rows, the selection, the actions. */
import * as l10n from '@vscode/l10n';
import type { LabelAsk, RunRow } from '../../src/features/runTable/contract.ts';
import { element } from '../lib/element.ts';
import { csv } from '../lib/csv.ts';
import { openMenu } from '../lib/components/menu.ts';
import { VirtualList, type Going } from '../lib/lists/virtualList.ts';
import { arranged, columns, filtered, type Column, type Line, type View } from './arrange.ts';
import { columnName, groupCells, isNumber, rowHeight, runCells, saved } from './cells.ts';
import { DetailBar } from './detailBar.ts';
import { FilterBar } from './filterBar.ts';

export interface TableHost {
  label: (runs: readonly string[], change: LabelAsk) => Promise<unknown>;
  open: (run: string) => Promise<unknown>;
  compare: (runs: readonly string[]) => Promise<unknown>;
  remove: (runs: readonly string[]) => Promise<unknown>;
  save: (name: string, text: string) => Promise<unknown>;
  keep: (view: View) => void;
  failed: (error: unknown) => void;
}

export class Page {
  readonly node: HTMLElement;
  readonly notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #host: TableHost;
  readonly #filter: FilterBar;
  readonly #heads = element('div', { class: 'heads', role: 'row', 'aria-rowindex': '1' });
  readonly #grid: HTMLElement;
  readonly #list: VirtualList;
  readonly #empty = element('p', { class: 'empty', role: 'status', hidden: '' });
  readonly #detail: DetailBar;
  readonly #rows = new Map<string, RunRow>();
  #lines: readonly Line[] = [];
  #shown: readonly Column[] = columns;
  #view: View;
  #selected = new Set<string>();
  #anchor = 0;
  /** The name that is edited, in its row. */
  #editing: { dir: string; input: HTMLInputElement } | null = null;
  /** Rows that arrived while a name was edited. */
  #late = false;

  constructor(host: TableHost, view: View) {
    this.#host = host;
    this.#view = view;
    this.#filter = new FilterBar((change) => this.#look(change));
    this.#grid = element('div', { class: 'grid', role: 'grid', 'aria-label': l10n.t('Runs') });
    this.#list = new VirtualList({
      ...{ name: l10n.t('Runs'), rowHeight, multiple: true, grid: this.#grid },
      row: (index) => this.#row(index),
      need: () => undefined,
      go: (index, how) => this.#go(index, how),
      choose: (index) => this.#choose(index),
      toggle: (index) => this.#toggle(index),
      menu: (index, at) => this.#menu(index, at),
    });
    this.#grid.append(element('div', { role: 'rowgroup', class: 'head-group' }, this.#heads), this.#list.node);
    this.#detail = new DetailBar({
      label: (runs, change) => this.#label(runs, change),
      open: ({ dir }) => this.#ask(host.open(dir)),
      rename: () => this.#rename(),
      compare: (runs) => this.#ask(host.compare(runs.map(({ dir }) => dir))),
      remove: (runs) => this.#ask(host.remove(runs.map(({ dir }) => dir))),
      save: (runs) => this.#save(runs),
      left: () => this.#list.focus(),
    });
    this.#grid.addEventListener('keydown', (event) => this.#key(event));
    this.node = element(
      'div',
      { class: 'page' },
      ...[this.#filter.node, this.notice, this.#grid, this.#empty, this.#detail.node],
    );
    this.#drawHeads();
  }

  /** Every run. */
  show(rows: readonly RunRow[]): void {
    this.#rows.clear();
    for (const row of rows) this.#rows.set(row.dir, row);
    this.#arrange();
  }

  changed(rows: readonly RunRow[], gone: readonly string[]): void {
    for (const row of rows) this.#rows.set(row.dir, row);
    for (const dir of gone) {
      this.#rows.delete(dir);
      this.#selected.delete(dir);
    }
    this.#arrange();
  }

  /** Only the runs of a study. */
  want(study: string): void {
    this.#look({ text: '', state: null, tag: null, study, group: 'arm' });
  }

  find(): void {
    this.#filter.focus();
  }

  commit(): void {
    this.#detail.commit();
  }

  #look(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    this.#host.keep(this.#view);
    this.#drawHeads();
    this.#arrange();
  }

  #arrange(): void {
    if (this.#editing !== null) {
      this.#late = true;
      return;
    }
    const rows = [...this.#rows.values()];
    const at = this.#view.at;
    this.#lines = arranged(rows, this.#view);
    const has = {
      cost: rows.some(({ figures }) => figures?.cost != null),
      left: rows.some(({ figures }) => figures?.left != null),
    };
    const shown = columns.filter((column) => (column !== 'cost' && column !== 'left') || has[column]);
    if (shown.join() !== this.#shown.join()) {
      this.#shown = shown;
      this.#drawHeads();
    }
    this.#grid.setAttribute('aria-colcount', String(columns.length));
    const visible = new Set(this.#lines.flatMap((line) => (line.kind === 'run' ? [line.row.dir] : [])));
    this.#selected = new Set([...this.#selected].filter((dir) => visible.has(dir)));
    this.#list.setCount(this.#lines.length);
    const index = this.#lines.findIndex((line) => line.kind === 'run' && line.row.dir === at);
    if (index !== -1) this.#list.follow(index);
    const matching = filtered(rows, this.#view).length;
    const all = this.#view.archived ? rows : rows.filter(({ archived }) => !archived);
    this.#filter.show(this.#view, all, matching);
    this.#empty.hidden = this.#lines.length > 0;
    this.#grid.hidden = this.#lines.length === 0;
    this.#empty.textContent =
      all.length === 0 ? l10n.t('There are no runs yet.') : l10n.t('No run matches the filter.');
    this.#told();
  }

  #drawHeads(): void {
    const { sort, descending } = this.#view;
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset['column'] : undefined;
    this.#grid.classList.toggle('priced', this.#shown.includes('cost'));
    this.#grid.classList.toggle('timed', this.#shown.includes('left'));
    this.#heads.replaceChildren(
      ...this.#shown.map((column) => {
        const own = column === sort;
        const arrow = own
          ? [element('span', { class: `codicon codicon-arrow-${descending ? 'down' : 'up'}`, 'aria-hidden': 'true' })]
          : [];
        const button = element(
          'button',
          { type: 'button', class: 'head', 'data-column': column },
          columnName(column),
          ...arrow,
        );
        button.addEventListener('click', () => {
          // Numbers are sorted from the largest, words from the first.
          const first = !(column === 'name' || column === 'differs' || column === 'state');
          this.#look({ sort: column, descending: own ? !descending : first });
        });
        const order = own ? (descending ? 'descending' : 'ascending') : 'none';
        return element(
          'span',
          {
            ...{ class: `cell cell-${column}${isNumber(column) ? ' number' : ''}`, role: 'columnheader' },
            ...{ 'aria-sort': order, 'aria-colindex': String(columns.indexOf(column) + 1) },
          },
          button,
        );
      }),
    );
    if (focused !== undefined) this.#heads.querySelector<HTMLElement>(`[data-column="${focused}"]`)?.focus();
  }

  #row(index: number) {
    const line = this.#lines[index];
    if (line === undefined) return null;
    if (line.kind === 'group')
      return groupCells(
        line,
        line.rows.every(({ dir }) => this.#selected.has(dir)),
      );
    const { dir } = line.row;
    const input = this.#editing?.dir === dir ? this.#editing.input : null;
    return runCells(line, this.#selected.has(dir), this.#shown, input);
  }

  #runsOf(line: Line | undefined): RunRow[] {
    return line === undefined ? [] : line.kind === 'run' ? [line.row] : [...line.rows];
  }

  #chosen(): RunRow[] {
    return this.#lines.flatMap((line) => (line.kind === 'run' && this.#selected.has(line.row.dir) ? [line.row] : []));
  }

  #go(index: number, { extend, keep }: Going): void {
    const line = this.#lines[index];
    if (line?.kind === 'run') {
      this.#view = { ...this.#view, at: line.row.dir };
      this.#host.keep(this.#view);
    }
    if (extend) {
      const [from, to] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
      const between = this.#lines.slice(from, to + 1).flatMap((one) => (one.kind === 'run' ? [one.row.dir] : []));
      this.#selected = new Set(between);
    } else if (!keep) {
      this.#anchor = index;
      this.#selected = new Set(line?.kind === 'run' ? [line.row.dir] : []);
    }
    this.#told();
  }

  #toggle(index: number): void {
    this.#anchor = index;
    const dirs = this.#runsOf(this.#lines[index]).map(({ dir }) => dir);
    const all = dirs.every((dir) => this.#selected.has(dir));
    for (const dir of dirs) {
      if (all) this.#selected.delete(dir);
      else this.#selected.add(dir);
    }
    this.#told();
  }

  #choose(index: number): void {
    const line = this.#lines[index];
    if (line?.kind === 'run') this.#ask(this.#host.open(line.row.dir));
    else this.#toggle(index);
  }

  #told(): void {
    this.#list.refresh();
    this.#detail.show(this.#chosen());
  }

  #key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement) return;
    const command = event.ctrlKey || event.metaKey;
    if (event.key === 'F2') this.#rename();
    else if (event.key === 'Delete') this.#remove();
    else if (event.key === 'a' && command) {
      this.#selected = new Set(this.#lines.flatMap((line) => (line.kind === 'run' ? [line.row.dir] : [])));
      this.#told();
    } else if (event.key === 'p' && !command)
      this.#label(this.#chosen(), { pinned: !this.#chosen().every(({ pinned }) => pinned) });
    else if (event.key === 't' && !command) this.#detail.editTags();
    else if (event.key === 'n' && !command) this.#detail.editNote();
    else return;
    event.preventDefault();
  }

  #remove(): void {
    const runs = this.#chosen();
    if (runs.length > 0) this.#ask(this.#host.remove(runs.map(({ dir }) => dir)));
  }

  #menu(index: number, at: { x: number; y: number }): void {
    const own = this.#runsOf(this.#lines[index]);
    if (!own.every(({ dir }) => this.#selected.has(dir))) {
      this.#selected = new Set(own.map(({ dir }) => dir));
      this.#told();
    }
    const runs = this.#chosen();
    const [first] = runs;
    if (first === undefined) return;
    const one = runs.length === 1;
    const [pinned, archived] = [runs.every((run) => run.pinned), runs.every((run) => run.archived)];
    const dirs = runs.map(({ dir }) => dir);
    openMenu(l10n.t('Runs'), at, [
      {
        text: l10n.t('Open'),
        act: () => this.#ask(this.#host.open(first.dir)),
        why: one ? null : l10n.t('Select one run.'),
      },
      { text: l10n.t('Rename'), act: () => this.#rename(), why: one ? null : l10n.t('Select one run.') },
      {
        text: l10n.t('Compare'),
        act: () => this.#ask(this.#host.compare(dirs)),
        why: runs.length > 1 && runs.length < 9 ? null : l10n.t('Select 2 to {0} runs (Space or Ctrl+click).', 8),
      },
      'line',
      { text: l10n.t('Edit Tags'), act: () => this.#detail.editTags() },
      { text: pinned ? l10n.t('Unpin') : l10n.t('Pin'), act: () => this.#label(runs, { pinned: !pinned }) },
      { text: archived ? l10n.t('Restore') : l10n.t('Archive'), act: () => this.#label(runs, { archived: !archived }) },
      'line',
      { text: l10n.t('Export as CSV…'), act: () => this.#save(runs) },
      { text: l10n.t('Delete…'), act: () => this.#remove() },
    ]);
  }

  #label(runs: readonly RunRow[], change: LabelAsk): void {
    if (runs.length > 0)
      this.#ask(
        this.#host.label(
          runs.map(({ dir }) => dir),
          change,
        ),
      );
  }

  #save(runs: readonly RunRow[]): void {
    const { columns: heads, rows } = saved(runs);
    this.#ask(this.#host.save('runs', csv(heads, rows)));
  }

  /** In its row: Enter takes the name, Escape leaves it. */
  #rename(): void {
    const [row, ...others] = this.#chosen();
    if (row === undefined || others.length > 0) return;
    const input = element('input', {
      type: 'text',
      class: 'input rename',
      'aria-label': l10n.t('Name'),
      maxlength: '200',
    });
    input.value = row.name;
    this.#editing = { dir: row.dir, input };
    const end = (take: boolean): void => {
      if (this.#editing?.input !== input) return;
      this.#editing = null;
      const name = input.value.trim();
      if (take && name !== row.name) this.#label([row], { name });
      if (this.#late) {
        this.#late = false;
        this.#arrange();
      } else this.#list.refresh();
      this.#list.focus();
    };
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter' || event.key === 'Escape') {
        event.preventDefault();
        end(event.key === 'Enter');
      }
    });
    for (const type of ['click', 'dblclick', 'mousedown'] as const)
      input.addEventListener(type, (event) => event.stopPropagation());
    input.addEventListener('blur', () => end(true));
    this.#list.refresh();
    input.focus();
    input.select();
  }

  #ask(answer: Promise<unknown>): void {
    this.notice.hidden = true;
    answer.catch((error: unknown) => this.#host.failed(error));
  }
}
