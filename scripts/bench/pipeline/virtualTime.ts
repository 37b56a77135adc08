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

  async sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#waiting.push({ at: this.#now + milliseconds, order: this.#order++, wake: () => resolve(null) });
    if (!this.#pumps) void this.#pump();
    await promise;
  }

  /** Wakes one sleeper after another, each once nothing else can run. */
  async #pump(): Promise<void> {
    this.#pumps = true;
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#waiting.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a));
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#now = next.at;
      next.wake();
    }
    this.#pumps = false;
  }
}
