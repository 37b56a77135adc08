/** Lets so many through in one turn of the event loop: a thousand requests that begin together are a second's work. */
export class Turnstile {
  readonly #atATime: number;
  #passed = 0;
  #nextTurn: Promise<void> | null = null;

  constructor(atATime: number) {
    this.#atATime = atATime;
  }

  /** Null where nothing is to be waited for; in the order asked. */
  pass(): Promise<void> | null {
    if (this.#nextTurn !== null || this.#passed >= this.#atATime) return this.#wait();
    this.#count();
    return null;
  }

  async #wait(): Promise<void> {
    do {
      this.#nextTurn ??= new Promise((resolve) => {
        setImmediate(() => {
          this.#nextTurn = null;
          resolve();
        });
      });
      await this.#nextTurn;
    } while (this.#passed >= this.#atATime);
    this.#count();
  }

  #count(): void {
    if (this.#passed === 0) setImmediate(() => (this.#passed = 0));
    this.#passed += 1;
  }
}
