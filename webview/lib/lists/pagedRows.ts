/** Rows of a long list, requested a page at a time when they become visible; recently used pages are kept. Pure. */

const pageSize = 64;
const keptPages = 64;

export interface PagedRowsOptions<R> {
  /** Rows [from, to) of the current list; fewer where it ends. */
  ask(from: number, to: number): Promise<readonly R[]>;
  /** Rows came: draw them. */
  arrived(): void;
  failed(error: unknown): void;
}

export class PagedRows<R> {
  readonly #options: PagedRowsOptions<R>;
  /** By number, those used last at the end. A stale page is shown until the new one is there. */
  readonly #pages = new Map<number, { rows: readonly R[]; stale: boolean }>();
  #wanted = { from: 0, to: 0 };
  #asking = false;
  #version = 0;

  constructor(options: PagedRowsOptions<R>) {
    this.#options = options;
  }

  /** Undefined while it is not known. */
  at(index: number): R | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.rows[index % pageSize];
  }

  /** Rows [from, to) are in sight. While an answer is under way nothing more is asked: only the last place counts. */
  need(from: number, to: number): void {
    this.#wanted = { from, to };
    this.#ask();
  }

  /** Rows or their order changed a little: visible rows stay until new ones arrive. */
  refresh(): void {
    this.#version += 1;
    for (const page of this.#pages.values()) page.stale = true;
    this.#ask();
  }

  /** Another list: nothing of the old one is shown. */
  clear(): void {
    this.#version += 1;
    this.#pages.clear();
    this.#wanted = { from: 0, to: 0 };
  }

  #ask(): void {
    if (this.#asking) return;
    const missing: number[] = [];
    for (let page = Math.floor(this.#wanted.from / pageSize); page * pageSize < this.#wanted.to; page++) {
      const known = this.#pages.get(page);
      if (known === undefined || known.stale) missing.push(page);
      else this.#keep(page, known.rows);
    }
    const [first] = missing;
    const last = missing.at(-1);
    if (first === undefined || last === undefined) return;
    this.#asking = true;
    void this.#fetch(first, last).finally(() => {
      this.#asking = false;
      this.#ask();
    });
  }

  async #fetch(first: number, last: number): Promise<void> {
    const version = this.#version;
    try {
      const rows = await this.#options.ask(first * pageSize, (last + 1) * pageSize);
      if (version !== this.#version) return;
      for (let page = first; page <= last; page++) {
        const at = (page - first) * pageSize;
        this.#keep(page, rows.slice(at, at + pageSize));
      }
      this.#options.arrived();
    } catch (error) {
      if (version !== this.#version) return;
      // Not requested again until the view moves: a refusing host would be asked endlessly.
      this.#wanted = { from: 0, to: 0 };
      this.#options.failed(error);
    }
  }

  #keep(page: number, rows: readonly R[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, { rows, stale: false });
    if (this.#pages.size <= keptPages) return;
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}
