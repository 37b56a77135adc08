/** Turns from a stream of lines: a line with a single “.” ends one. */
import { createInterface } from 'node:readline';

export class TurnsTyped {
  readonly #lines: AsyncIterator<string>;
  readonly #close: () => void;
  /** Lines of the turn that is being written. */
  #writing: string[] = [];

  constructor(input: NodeJS.ReadableStream) {
    const reader = createInterface({ input, crlfDelay: Infinity });
    this.#lines = reader[Symbol.asyncIterator]();
    this.#close = () => reader.close();
  }

  /** The turn that was not sent. */
  get draft(): string {
    return this.#writing.join('\n');
  }

  /** Continues a turn. */
  begin(text: string): void {
    if (text !== '') this.#writing = text.split('\n');
  }

  /** @returns the next turn; null at the end of the input. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<string | null> {
    for (;;) {
      const line = await abortable(this.#lines.next(), signal);
      if (line.done === true) return null;
      if (line.value === '.') return this.#taken();
      this.#writing.push(line.value);
    }
  }

  /** The same, with a turn that the end of the input sends; null where that is blank. */
  async nextOrRest(signal: AbortSignal): Promise<string | null> {
    const turn = await this.next(signal);
    if (turn !== null || this.draft.trim() === '') return turn;
    return this.#taken();
  }

  #taken(): string {
    const text = this.draft;
    this.#writing = [];
    return text;
  }

  close(): void {
    this.#close();
  }
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
