/** Servers that answer nothing at the moment, also those that were never reached and so have no load. */
import type { Silence } from '../../shared/text/silence.ts';
import type { Time } from '../time.ts';

/** Seconds of failures alone before a server counts as silent: one lost answer among others is no news. */
const shortestSilence = 10;

export class Silences {
  readonly #time: Pick<Time, 'now'>;
  readonly #failing = new Map<string, { since: number; what: string }>();

  constructor(time: Pick<Time, 'now'>) {
    this.#time = time;
  }

  /** A request failed, and is sent again. */
  failed(url: string, what: string): void {
    const since = this.#failing.get(url)?.since ?? this.#time.now();
    this.#failing.set(url, { since, what });
  }

  /** One was answered, or is given up. */
  over(url: string): void {
    this.#failing.delete(url);
  }

  /** The silent servers, that for the longest time first. */
  get now(): Silence[] {
    return [...this.#failing]
      .map(([url, { since, what }]) => ({ url, seconds: (this.#time.now() - since) / 1000, what }))
      .filter(({ seconds }) => seconds >= shortestSilence);
  }
}
