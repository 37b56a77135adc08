/** Collects changes and passes them on together: at once after a quiet time, else after so many milliseconds. */
export class Gatherer<T> {
  readonly #ms: number;
  readonly #flush: (values: ReadonlySet<T>) => Promise<void> | void;
  #values = new Set<T>();
  #timer: NodeJS.Timeout | null = null;
  #flushing = false;
  #last = -Infinity;
  #disposed = false;

  /** `flush` is never called while its last call is under way, and must not throw. */
  constructor(ms: number, flush: (values: ReadonlySet<T>) => Promise<void> | void) {
    this.#ms = ms;
    this.#flush = flush;
  }

  add(value: T): void {
    if (this.#disposed) return;
    this.#values.add(value);
    this.#schedule();
  }

  dispose(): void {
    this.#disposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== null || this.#flushing || this.#values.size === 0 || this.#disposed) return;
    const wait = Math.max(0, this.#last + this.#ms - performance.now());
    this.#timer = setTimeout(() => void this.#run(), wait);
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#flushing = true;
    const values = this.#values;
    this.#values = new Set();
    try {
      await this.#flush(values);
    } finally {
      this.#last = performance.now();
      this.#flushing = false;
      this.#schedule();
    }
  }
}
