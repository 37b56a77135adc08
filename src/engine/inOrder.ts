/**
 * Concurrent work whose results are used one after the other in the order of their start, with a limit on how much runs
 * at once.
 */
export class InOrder<T> {
  readonly #most: number;
  readonly #under: Promise<void>[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when there is room for more. @throws the error of earlier work or of its use */
  async add(work: Promise<T>, use: (value: T) => Promise<void>): Promise<void> {
    const done = after(this.#under.at(-1), work, use);
    // The error reaches the next caller that waits.
    done.catch(() => undefined);
    this.#under.push(done);
    while (this.#under.length >= this.#most) await this.#under.shift();
  }

  /** Until everything is used. @throws the first that failed */
  async finish(): Promise<void> {
    while (this.#under.length > 0) await this.#under.shift();
  }
}

async function after<T>(
  before: Promise<void> | undefined,
  work: Promise<T>,
  use: (value: T) => Promise<void>,
): Promise<void> {
  const [value] = await Promise.all([work, before]);
  await use(value);
}
