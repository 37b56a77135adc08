/** Places of a server, and how long they were taken. */
export class Slots {
  readonly #size: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #since = performance.now();
  /** Slot-milliseconds. */
  #busy = 0;
  #first: number | null = null;
  #last = 0;
  #most = 0;

  constructor(size: number) {
    this.#size = size;
  }

  async use(work: () => Promise<void>): Promise<void> {
    if (this.#taken === this.#size) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#take(1);
    await work();
    const next = this.#waiting.shift();
    // A slot is handed on.
    if (next === undefined) this.#take(-1);
    else next();
    this.#last = performance.now();
  }

  #take(by: number): void {
    const now = performance.now();
    this.#first ??= now;
    this.#busy += this.#taken * (now - this.#since);
    this.#since = now;
    this.#taken += by;
    this.#most = Math.max(this.#most, this.#taken);
  }

  /** @returns slot-milliseconds taken, and when the first was taken and the last was free again */
  get told(): { busy: number; first: number; last: number; most: number } {
    this.#take(0);
    return { busy: this.#busy, first: this.#first ?? 0, last: this.#last, most: this.#most };
  }
}
