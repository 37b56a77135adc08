/** Attempts that have begun and are not recorded yet: what was said in them so far, for those who watch. */
import type { Message } from '../../shared/records/message.ts';

export interface AttemptUnderWay {
  /** Of its trace, once it is recorded. */
  id: string;
  /** After the task's prompt. */
  messages: readonly Message[];
}

/** Attempts at a task. */
type Source = (task: string) => Iterable<AttemptUnderWay>;

/** Read on demand: to be watched costs attempts nothing. */
export class UnderWay {
  readonly #sources = new Set<Source>();

  /** Adds attempts while `work` makes them. */
  async while<T>(source: Source, work: () => Promise<T>): Promise<T> {
    this.#sources.add(source);
    try {
      return await work();
    } finally {
      this.#sources.delete(source);
    }
  }

  /** Those at a task that have said something, by id. */
  at(task: string): AttemptUnderWay[] {
    return [...this.#sources]
      .flatMap((source) => [...source(task)])
      .filter(({ messages }) => messages.length > 0)
      .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  }
}
