/** A table of any length: only the rows in sight are in the document. */
import { element } from '../element.ts';
import { prose } from '../symbols.ts';
import type { Cell } from '../csv.ts';

export interface Column {
  title: string;
  /** How a number is shown; files get it whole. */
  format?: (value: number) => string;
  /** Wide text: takes the remaining room. */
  wide?: boolean;
}

export interface TableSource {
  columns: readonly Column[];
  count: number;
  /** The first cell heads its row. */
  row: (index: number) => readonly Cell[];
  /** Enter or a click on a row. */
  choose?: (index: number) => void;
  /** The row of what the page shows elsewhere. */
  current?: () => number | null;
  /** A column's title sorts by it. */
  sort?: { column: number; descending: boolean; by: (column: number) => void };
}

const rowHeight = 24;
/** Rows drawn beyond the visible edges. */
const margin = 12;
/** Shorter tables are in the document as a whole. */
const whole = 200;

export class Table {
  readonly node: HTMLElement;
  readonly #head = element('thead');
  readonly #body = element('tbody');
  readonly #table = element('table', {}, this.#head, this.#body);
  #source: TableSource;
  #shown = { from: -1, to: -1 };

  constructor(label: string, source: TableSource) {
    this.#source = source;
    this.node = element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': label }, this.#table);
    this.node.addEventListener('scroll', () => this.#draw(false), { passive: true });
    // Not `this.#draw` at once: a table can be measured only once it is in the page.
    new ResizeObserver(() => this.#draw(false)).observe(this.node);
    this.#body.addEventListener('click', ({ target }) => this.#choose(target));
    this.#body.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && this.#choose(event.target)) event.preventDefault();
    });
    this.show(source);
  }

  show(source: TableSource): void {
    this.#source = source;
    this.#table.setAttribute('aria-rowcount', String(source.count + 1));
    this.#head.replaceChildren(
      element(
        'tr',
        { 'aria-rowindex': '1' },
        ...source.columns.map(({ title, format, wide }, i) =>
          element(
            'th',
            { scope: 'col', class: classOf(format, wide), ...sorting(source, i) },
            ...this.#title(title, i),
          ),
        ),
      ),
    );
    this.#draw(true);
  }

  /** Another row is current. */
  mark(): void {
    const current = this.#source.current?.() ?? null;
    for (const row of this.#body.rows) {
      const is = current !== null && row.dataset['row'] === String(current);
      if (is) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }

  #title(title: string, column: number): (Node | string)[] {
    const { sort } = this.#source;
    if (sort === undefined) return prose(title);
    const mark =
      sort.column === column ? element('span', { 'aria-hidden': 'true' }, sort.descending ? ' ↓' : ' ↑') : '';
    const button = element('button', { type: 'button', class: 'link' }, ...prose(title), mark);
    button.addEventListener('click', () => {
      this.#source.sort?.by(column);
      // The titles are drawn anew.
      this.#head.querySelectorAll('button')[column]?.focus();
    });
    return [button];
  }

  #draw(anew: boolean): void {
    const { count } = this.#source;
    const { scrollTop, clientHeight } = this.node;
    const first = Math.floor(scrollTop / rowHeight) - margin;
    const last = Math.ceil((scrollTop + clientHeight) / rowHeight) + margin;
    const from = count <= whole ? 0 : Math.max(0, Math.min(count, first));
    const to = count <= whole ? count : Math.max(from, Math.min(count, last));
    if (!anew && from === this.#shown.from && to === this.#shown.to) return;
    this.#shown = { from, to };
    const rows = Array.from({ length: to - from }, (_, i) => this.#row(from + i));
    this.#body.replaceChildren(...gap(from), ...rows, ...gap(count - to));
    this.mark();
  }

  #row(index: number): HTMLTableRowElement {
    const { columns, choose } = this.#source;
    const cells = this.#source.row(index).map((cell, i) => {
      const column = columns[i];
      const text = typeof cell === 'number' ? (column?.format ?? String)(cell) : (cell ?? '—');
      const kind = classOf(column?.format, column?.wide);
      const node = i === 0 ? element('th', { scope: 'row', class: kind }) : element('td', { class: kind });
      if (i === 0 && choose !== undefined) node.append(element('button', { type: 'button', class: 'link' }, text));
      else node.textContent = text;
      if (column?.wide === true) node.title = text;
      return node;
    });
    return element('tr', { 'aria-rowindex': String(index + 2), 'data-row': String(index) }, ...cells);
  }

  #choose(target: EventTarget | null): boolean {
    const row = target instanceof Element ? target.closest('tr') : null;
    const index = Number(row?.dataset['row'] ?? NaN);
    if (this.#source.choose === undefined || Number.isNaN(index)) return false;
    this.#source.choose(index);
    return true;
  }
}

const sorting = ({ sort }: TableSource, column: number): Record<string, string> =>
  sort?.column === column ? { 'aria-sort': sort.descending ? 'descending' : 'ascending' } : {};

const classOf = (format: Column['format'], wide: boolean | undefined): string =>
  [...(format === undefined ? [] : ['number']), ...(wide === true ? ['wide'] : [])].join(' ');

/** Takes the room of rows that are not in the document. */
function gap(rows: number): HTMLElement[] {
  if (rows <= 0) return [];
  const cell = element('td', { 'aria-hidden': 'true', class: 'gap' });
  cell.style.height = `${rows * rowHeight}px`;
  return [element('tr', { 'aria-hidden': 'true' }, cell)];
}
