/** Places for sessions: so many at once, the others wait in the order in which they came. */
import { reasonOf } from '../time.ts';

export class Places {
  #limit: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** More are taken than there are by now. */
  get over(): boolean {
    return this.#taken > this.#limit;
  }

  /** @param again one that had a place goes before the others; @throws the signal's reason */
  async take(signal: AbortSignal, again = false): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#limit) {
      this.#taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reasonOf(signal));
      };
      const waiting = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (again) this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
    });
  }

  /** Gives one back. */
  free(): void {
    this.#taken -= 1;
    while (this.#taken < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#taken += 1;
      next();
    }
  }

  /** There are no more than these, ever. */
  lower(limit: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, limit));
  }
}
