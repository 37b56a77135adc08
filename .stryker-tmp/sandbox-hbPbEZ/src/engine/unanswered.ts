/** What endpoints could not answer in a phase: counted by cause, for the journal and for the error that ends it. */
import type { Unanswered } from '../shared/journal/events.ts';
import type { Completion, FailedCompletion } from './ports.ts';

/** Causes that the journal names; the rest are counted. */
const namedCauses = 5;

export const hasFailed = (answer: Completion | FailedCompletion): answer is FailedCompletion => 'failure' in answer;

export class UnansweredCount {
  readonly #causes = new Map<string, number>();
  #count = 0;

  add(cause: string): void {
    this.#count += 1;
    if (this.#causes.has(cause) || this.#causes.size < namedCauses) {
      this.#causes.set(cause, (this.#causes.get(cause) ?? 0) + 1);
    }
  }

  get first(): string | null {
    return this.#causes.keys().next().value ?? null;
  }

  /** As a part of a journal event that only stands there when something is unanswered. */
  get event(): { unanswered?: Unanswered } {
    if (this.#count === 0) return {};
    return {
      unanswered: { count: this.#count, causes: [...this.#causes].map(([cause, count]) => ({ cause, count })) },
    };
  }
}
