/**
 * A list of any length: only the visible rows are in the document. One tab stop; arrow keys, pages and ends move within
 * it. Its owner supplies rows and selection.
 */
import { element } from '../element.ts';

export interface ListRow {
  /** Accessible name instead of the cells. */
  name: string;
  cells: readonly Node[];
  selected: boolean;
}

/** How the user came to a row: `extend` includes the rows between (Shift), `keep` leaves the selection (Ctrl). */
export interface Going {
  extend: boolean;
  keep: boolean;
}

export interface VirtualListOptions {
  /** For assistive technology. */
  name: string;
  /** Pixels; of every row. */
  rowHeight: number;
  /** Several rows can be selected. */
  multiple: boolean;
  /** The grid with these rows, where it has a row of heads; else the list itself is a grid. */
  grid?: HTMLElement;
  /** Null while it is not known. */
  row: (index: number) => ListRow | null;
  /** Rows [from, to) are in sight or nearly so. */
  need: (from: number, to: number) => void;
  /** A person moved to a row, by key or pointer. */
  go: (index: number, how: Going) => void;
  /** Enter, or a double click. */
  choose: (index: number) => void;
  /** Space, or a click with Ctrl. */
  toggle?: (index: number) => void;
  /** The context menu's key, or a right click: where it should open. */
  menu?: (index: number, at: { x: number; y: number }) => void;
}

/** Rows drawn beyond the visible edges. */
const margin = 8;
/** Pixels. Browsers lose the exact place beyond 2²⁴ of them; a longer list scrolls in larger steps. */
const tallest = 10_000_000;

export class VirtualList {
  /** Scrolls. */
  readonly node: HTMLElement;
  readonly #options: VirtualListOptions;
  readonly #space = element('div', { class: 'virtual-space', role: 'presentation' });
  readonly #grid: HTMLElement;
  readonly #drawn = new Map<number, HTMLElement>();
  #count = 0;
  #active = 0;
  /** Pixels from the first row's top to the visible part, in a list that has its full height. */
  #offset = 0;
  /** The scroll position for `#offset`. */
  #placed = 0;

  constructor(options: VirtualListOptions) {
    this.#options = options;
    const { name, multiple } = options;
    const role = options.grid === undefined ? 'grid' : 'rowgroup';
    this.node = element('div', { class: 'virtual-list', role, 'aria-label': name }, this.#space);
    this.node.style.setProperty('--row-height', `${options.rowHeight}px`);
    this.#grid = options.grid ?? this.node;
    if (multiple) this.#grid.setAttribute('aria-multiselectable', 'true');
    this.node.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.node.addEventListener('wheel', (event) => this.#wheel(event));
    this.node.addEventListener('keydown', (event) => this.#key(event));
    this.node.addEventListener('click', (event) => this.#clicked(event));
    this.node.addEventListener('contextmenu', (event) => {
      const { clientX: x, clientY: y } = event;
      if (options.menu === undefined) return;
      this.#at(event.target, (index) => {
        event.preventDefault();
        this.#stand(index);
        options.menu?.(index, { x, y });
      });
    });
    // Not at once: a list can be measured only once it is in the page.
    new ResizeObserver(() => this.#scrollTo(this.#offset)).observe(this.node);
  }

  get count(): number {
    return this.#count;
  }

  /** The row that the keyboard is at; also in an empty list. */
  get active(): number {
    return this.#active;
  }

  /** How long the list is from now on. Where it was scrolled to stays, as far as it goes. */
  setCount(count: number): void {
    this.#count = count;
    this.#active = Math.max(0, Math.min(this.#active, count - 1));
    this.#grid.setAttribute('aria-rowcount', String(count + this.#heads));
    this.#space.style.height = `${this.#height}px`;
    this.#scrollTo(this.#offset);
    this.refresh();
  }

  /** The rows' content changed. */
  refresh(): void {
    for (const [index, node] of this.#drawn) this.#fill(index, node);
    this.#draw();
  }

  /** Moves the keyboard's row without telling `go`, and scrolls to it. */
  show(index: number): void {
    if (index < 0 || index >= this.#count) return;
    this.#stand(index);
    this.#reveal(index);
  }

  /** Moves the keyboard's row with its content, at any scroll position. */
  follow(index: number): void {
    if (index < 0 || index >= this.#count || index === this.#active) return;
    const had = this.#drawn.get(this.#active)?.matches(':focus') ?? false;
    this.#stand(index);
    this.#draw();
    if (had) this.#drawn.get(index)?.focus({ preventScroll: true });
  }

  focus(): void {
    this.#reveal(this.#active);
    this.#drawn.get(this.#active)?.focus({ preventScroll: true });
  }

  /** Rows above the first. */
  get #heads(): number {
    return this.#grid === this.node ? 0 : 1;
  }

  get #total(): number {
    return this.#count * this.#options.rowHeight;
  }

  /** In pixels, as laid out. */
  get #height(): number {
    return Math.min(this.#total, tallest);
  }

  /** Pixels of a list of full height for one of scrolling; 1 unless the list is too tall for that. */
  get #ratio(): number {
    const { clientHeight } = this.node;
    return this.#total <= tallest ? 1 : (this.#total - clientHeight) / (this.#height - clientHeight);
  }

  #scrollTo(offset: number): void {
    this.#offset = Math.max(0, Math.min(offset, this.#total - this.node.clientHeight));
    this.node.scrollTop = this.#offset / this.#ratio;
    this.#placed = this.node.scrollTop;
    this.#draw();
  }

  #scrolled(): void {
    const { scrollTop } = this.node;
    // Our own setting of it comes back as an event, too coarse to say where a tall list is.
    if (Math.abs(scrollTop - this.#placed) >= 1) {
      this.#offset = scrollTop * this.#ratio;
      this.#placed = scrollTop;
    }
    this.#draw();
  }

  #wheel(event: WheelEvent): void {
    if (this.#ratio === 1 || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const line = this.#options.rowHeight;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : line;
    this.#scrollTo(this.#offset + event.deltaY * unit);
  }

  #reveal(index: number): void {
    const { rowHeight } = this.#options;
    const { clientHeight } = this.node;
    const top = index * rowHeight;
    if (top < this.#offset) this.#scrollTo(top);
    else if (top + rowHeight > this.#offset + clientHeight) this.#scrollTo(top + rowHeight - clientHeight);
    else this.#draw();
  }

  #draw(): void {
    const { rowHeight, need } = this.#options;
    const { clientHeight } = this.node;
    if (clientHeight === 0) return;
    const from = Math.max(0, Math.floor(this.#offset / rowHeight) - margin);
    const to = Math.min(this.#count, Math.ceil((this.#offset + clientHeight) / rowHeight) + margin);
    const wanted = new Set<number>();
    for (let index = from; index < to; index++) wanted.add(index);
    // The row with the focus stays in the document wherever the list is scrolled to, or the focus would be lost.
    if (this.#active < this.#count) wanted.add(this.#active);
    for (const [index, node] of this.#drawn) {
      if (wanted.has(index)) continue;
      node.remove();
      this.#drawn.delete(index);
    }
    for (const index of wanted) {
      const node = this.#drawn.get(index) ?? this.#make(index);
      // One out of sight may not make the list any taller.
      const top = Math.min(this.#placed + index * rowHeight - this.#offset, this.#height - rowHeight);
      node.style.top = `${top}px`;
    }
    if (to > from) need(from, to);
  }

  #make(index: number): HTMLElement {
    const active = index === this.#active;
    const node = element('div', { class: 'virtual-row', role: 'row', tabindex: active ? '0' : '-1' });
    node.dataset['index'] = String(index);
    node.setAttribute('aria-rowindex', String(index + 1 + this.#heads));
    this.#fill(index, node);
    this.#drawn.set(index, node);
    // In the order of the list, which is the order of reading.
    const next = [...this.#drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
    this.#space.insertBefore(node, (next === undefined ? undefined : this.#drawn.get(next)) ?? null);
    return node;
  }

  #fill(index: number, node: HTMLElement): void {
    const row = index < this.#count ? this.#options.row(index) : null;
    node.classList.toggle('unknown', row === null);
    node.setAttribute('aria-label', row?.name ?? '…');
    node.setAttribute('aria-selected', String(row?.selected ?? false));
    node.replaceChildren(...(row?.cells ?? []));
  }

  #stand(index: number): void {
    this.#drawn.get(this.#active)?.setAttribute('tabindex', '-1');
    this.#active = index;
    this.#drawn.get(index)?.setAttribute('tabindex', '0');
  }

  #at(target: EventTarget | null, act: (index: number) => void): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('.virtual-row') : null;
    if (row !== null) act(Number(row.dataset['index']));
  }

  #clicked(event: MouseEvent): void {
    this.#at(event.target, (index) => {
      this.#stand(index);
      this.focus();
      if ((event.ctrlKey || event.metaKey) && this.#options.toggle !== undefined) this.#options.toggle(index);
      else this.#options.go(index, { extend: event.shiftKey && this.#options.multiple, keep: false });
      // Not by a separate event: the first click may have redrawn the row, so the pressed element is gone.
      if (event.detail === 2) this.#options.choose(index);
    });
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || this.#count === 0 || event.target === this.node) return;
    const { choose, toggle, menu, multiple } = this.#options;
    const to = this.#led(event.key);
    if (to !== null) {
      this.#stand(Math.max(0, Math.min(this.#count - 1, to)));
      this.focus();
      this.#options.go(this.#active, { extend: event.shiftKey && multiple, keep: event.ctrlKey || event.metaKey });
    } else if (event.key === 'Enter') choose(this.#active);
    else if (event.key === ' ' && toggle !== undefined) toggle(this.#active);
    else if ((event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) && menu !== undefined) {
      const place = this.#drawn.get(this.#active)?.getBoundingClientRect();
      if (place !== undefined) menu(this.#active, { x: place.left + 24, y: place.bottom });
    } else return;
    event.preventDefault();
  }

  /** The row that a key leads to; null for one that leads nowhere. */
  #led(key: string): number | null {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.#options.rowHeight) - 1);
    switch (key) {
      case 'ArrowDown':
        return this.#active + 1;
      case 'ArrowUp':
        return this.#active - 1;
      case 'PageDown':
        return this.#active + page;
      case 'PageUp':
        return this.#active - page;
      case 'Home':
        return 0;
      case 'End':
        return this.#count - 1;
      default:
        return null;
    }
  }
}
