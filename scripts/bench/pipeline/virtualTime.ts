import { atEnd } from './ends.ts';

/** Time that passes only while everything waits for it: hours of waiting are measured in a moment, the same every time. */
export class VirtualTime {
  #now = 0;
  #order = 0;
  readonly #waiting: { at: number; order: number; wake: () => void }[] = [];
  #pumps = false;

  /** Milliseconds. */
  now(): number {
    return this.#now;
  }

  /** Until the time has passed, or at once when the signal is aborted. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    const { promise, resolve } = Promise.withResolvers<null>();
    const sleeper = { at: this.#now + milliseconds, order: this.#order++, wake: () => resolve(null) };
    const end = (): void => {
      const at = this.#waiting.indexOf(sleeper);
      if (at >= 0) this.#waiting.splice(at, 1);
      resolve(null);
    };
    const forget = atEnd(signal, end);
    this.#waiting.push(sleeper);
    if (!this.#pumps) void this.#pump();
    await promise;
    forget();
  }

  /** Wakes one sleeper after another, each once nothing else can run. */
  async #pump(): Promise<void> {
    this.#pumps = true;
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      // The last sleepers may have been ended meanwhile.
      if (this.#waiting.length === 0) break;
      const next = this.#waiting.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a));
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#now = next.at;
      next.wake();
    }
    this.#pumps = false;
  }
}
