/**
 * Traces handed over one by one and appended together: while one append is under way others wait, and all that wait when
 * it ends go out in the next one, in the order in which they came. There is never more than one append at a time.
 */
import type { Trace } from '../../../shared/records/trace.ts';
import { tokensOf } from './traceTokens.ts';

/** An append takes traces up to so many tokens, or one longer trace: its lines are made in one go, which holds the thread. */
const tokensAtOnce = 1 << 15;
const mostAtOnce = 64;

export class Recording {
  readonly #append: (traces: readonly Trace[]) => Promise<void>;
  readonly #failing = new AbortController();
  #waiting: Trace[] = [];
  #tokens = 0;
  /** The appends under way, one after another; null when nothing waits. */
  #pump: Promise<void> | null = null;
  /** Resolves with the end of the append under way. */
  #written = Promise.withResolvers<null>();

  constructor(append: (traces: readonly Trace[]) => Promise<void>) {
    this.#append = append;
  }

  /** Aborted with the error of the first append that failed: nothing is recorded after it. */
  get failed(): AbortSignal {
    return this.#failing.signal;
  }

  /** Resolves when there is room for another trace, which may be before this one is recorded. @throws the error of an append */
  async add(trace: Trace): Promise<void> {
    this.failed.throwIfAborted();
    this.#waiting.push(trace);
    this.#tokens += tokensOf(trace);
    this.#pump ??= this.#run();
    while (this.#isFull && !this.failed.aborted) await this.#written.promise;
    this.failed.throwIfAborted();
  }

  /** Resolves when all that was added is recorded. @throws the error of an append */
  async finish(): Promise<void> {
    await this.#pump;
    this.failed.throwIfAborted();
  }

  /** While the next append is full already, attempts that end wait: that also gives the thread to others now and then. */
  get #isFull(): boolean {
    return this.#tokens >= tokensAtOnce || this.#waiting.length >= mostAtOnce;
  }

  /** Never rejects: an error reaches those that add, and those that wait for the end. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.failed.aborted) {
      try {
        await this.#append(this.#next());
      } catch (error) {
        this.#failing.abort(error);
      }
      this.#written.resolve(null);
      this.#written = Promise.withResolvers();
    }
    this.#pump = null;
  }

  #next(): Trace[] {
    let tokens = 0;
    let count = 0;
    for (const trace of this.#waiting) {
      const more = tokensOf(trace);
      if (count > 0 && (tokens + more > tokensAtOnce || count === mostAtOnce)) break;
      tokens += more;
      count += 1;
    }
    this.#tokens -= tokens;
    return this.#waiting.splice(0, count);
  }
}
