/** Unanswered requests of a phase, counted by cause, for the journal and for the error that ends the phase. */
import type { Unanswered } from '../shared/journal/events.ts';
import { EpisodeError } from './errors.ts';
import type { FailedCompletion } from './ports.ts';
import type { Completion } from './completion.ts';

/** Causes that the journal names; the rest are counted. */
const namedCauses = 5;

/** A number that stands by itself, but for a status: addresses and names keep theirs. */
const freeNumber = /(?<!status)\s\d[\d,]*(?=[\s.,;:]|$)/g;

export const hasFailed = (answer: Completion | FailedCompletion): answer is FailedCompletion => 'failure' in answer;

/** The domain’s prompt; null where it cannot, which leaves `questions` unanswered. @throws any other error */
export async function unlessUnasked<T>(
  count: UnansweredCount,
  questions: number,
  write: () => Promise<T> | T,
): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (!EpisodeError.is(error)) throw error;
    for (let i = 0; i < questions; i++) count.add(error.message);
    return null;
  }
}

export class UnansweredCount {
  readonly #causes = new Map<string, { cause: string; count: number }>();
  /** Attempts that ended because their episode died, by the ids of their tasks: no endpoint could answer them better. */
  readonly #died = new Map<string, number>();
  #count = 0;
  #first: string | null = null;

  /**
   * Causes that differ only in a number, such as the length of a prompt, count as one, with the first one's text.
   * @param died the task whose episode died, where that is the cause
   */
  add(cause: string, died?: { id: string }): void {
    this.#count += 1;
    this.#first ??= cause;
    if (died !== undefined) this.#died.set(died.id, this.diedAt(died) + 1);
    const kind = cause.replaceAll(freeNumber, ' #');
    const known = this.#causes.get(kind);
    if (known !== undefined) known.count += 1;
    else if (this.#causes.size < namedCauses) this.#causes.set(kind, { cause, count: 1 });
  }

  diedAt({ id }: { id: string }): number {
    return this.#died.get(id) ?? 0;
  }

  get first(): string | null {
    return this.#first;
  }

  /** As a part of a journal event that only stands there when something is unanswered. */
  get event(): { unanswered?: Unanswered } {
    if (this.#count === 0) return {};
    return {
      unanswered: { count: this.#count, causes: [...this.#causes.values()].map((one) => ({ ...one })) },
    };
  }

  /** The event's part of what was counted since it was last taken. */
  take(): { unanswered?: Unanswered } {
    const { event } = this;
    this.#count = 0;
    this.#causes.clear();
    return event;
  }
}

/** Of two parts of an event: as one count would have it. */
export function joinedUnanswered(a: Unanswered | undefined, b: Unanswered | undefined): Unanswered | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const causes = new Map<string, number>();
  for (const { cause, count } of [...a.causes, ...b.causes]) causes.set(cause, (causes.get(cause) ?? 0) + count);
  const named = [...causes].slice(0, namedCauses).map(([cause, count]) => ({ cause, count }));
  return { count: a.count + b.count, causes: named };
}
