/**
 * Several streams as one, in order of arrival; streams may be added while it is read. A failure of one is thrown after
 * the others have ended, since their pending results may have been paid for.
 */
export class Merge<T> implements AsyncIterable<T> {
  readonly #sources = new Set<AsyncIterator<T>>();
  readonly #arrived: { source: AsyncIterator<T>; value: T }[] = [];
  #failure: { error: unknown } | null = null;
  #wake = Promise.withResolvers<null>();

  add(stream: AsyncIterable<T>): void {
    const source = stream[Symbol.asyncIterator]();
    this.#sources.add(source);
    void this.#pull(source);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        const next = this.#arrived.shift();
        if (next !== undefined) {
          void this.#pull(next.source);
          yield next.value;
        } else if (this.#sources.size === 0) break;
        else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers();
        }
      }
      if (this.#failure !== null) throw this.#failure.error;
    } finally {
      await Promise.allSettled([...this.#sources].map(async (source) => source.return?.()));
    }
  }

  /** Takes one item at a time from each: a stream continues when its last item was consumed. */
  async #pull(source: AsyncIterator<T>): Promise<void> {
    try {
      const next = await source.next();
      if (next.done === true) this.#sources.delete(source);
      else this.#arrived.push({ source, value: next.value });
    } catch (error) {
      this.#sources.delete(source);
      this.#failure ??= { error };
    }
    this.#wake.resolve(null);
  }
}
