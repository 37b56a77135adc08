/** Runs numbered work in the order of its numbers, whatever the order of arrival (protocol §12). */
export class Sequencer {
  readonly #waiting = new Map<number, () => void>();
  /** Numbers whose requests were refused. */
  readonly #refused = new Set<number>();
  #next = 1;
  #last: Promise<void> = Promise.resolve();

  /** The number that everything waits for, when later ones came before it. */
  get gap(): number | null {
    return this.#waiting.size > 0 ? this.#next : null;
  }

  isUsed(seq: number): boolean {
    return seq < this.#next || this.#waiting.has(seq);
  }

  /** @param seq null runs after the work that is already queued. A number runs once: the caller handles repetitions. */
  run<T>(seq: number | null, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        this.#last = this.#last.then(task).then(resolve, reject);
      };
      if (seq === null) start();
      else this.#waiting.set(seq, start);
      this.#advance();
    });
  }

  /** The request of this number was refused: later ones no longer wait for it. Sent once more it runs, if it comes before them. */
  pass(seq: number): void {
    if (this.isUsed(seq)) return;
    this.#refused.add(seq);
    this.#advance();
  }

  #advance(): void {
    while (this.#waiting.size > 0) {
      const start = this.#waiting.get(this.#next);
      if (start === undefined && !this.#refused.has(this.#next)) return;
      this.#refused.delete(this.#next);
      this.#waiting.delete(this.#next++);
      start?.();
    }
  }
}
