/** Runs what carries numbers in the order of the numbers, whatever the order it comes in (protocol §12). */
export class Sequencer {
  readonly #waiting = new Map<number, () => void>();
  #next = 1;
  #last: Promise<void> = Promise.resolve();

  /** The number that everything waits for, when later ones came before it. */
  get gap(): number | null {
    return this.#waiting.size > 0 ? this.#next : null;
  }

  isUsed(seq: number): boolean {
    return seq < this.#next || this.#waiting.has(seq);
  }

  /** @param seq null runs after what is there already. A number runs once: repetitions are the caller's to know. */
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

  #advance(): void {
    for (let start = this.#waiting.get(this.#next); start; start = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next++);
      start();
    }
  }
}
