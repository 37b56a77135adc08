/** Work that is done one after the other, in the order in which it was asked for; a failure ends only its own. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws what the work throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#last.then(work);
    // Its own caller gets its failure.
    this.#last = own.catch(() => null);
    return own;
  }

  /** Everything that was asked for so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
