/** Whether a task's success rate moved between two halves of a run as those of the other tasks did. */

import { largest } from '../../shared/extremes.ts';
/** One task's judged attempts in the earlier and the later half. */
export interface Halves {
  earlier: { successes: number; attempts: number };
  later: { successes: number; attempts: number };
}

/** Sums over tasks for the common odds ratio; a task's own part can be taken out again. */
export class CommonOdds {
  #rises = 0;
  #falls = 0;

  add(halves: Halves): void {
    const [rise, fall] = shares(halves);
    this.#rises += rise;
    this.#falls += fall;
  }

  /**
   * Mantel–Haenszel: the factor by which the odds of success rose from the earlier half to the later one, over all
   * tasks but one. Null where it is undefined.
   */
  without(halves: Halves): number | null {
    const [rise, fall] = shares(halves);
    const [rises, falls] = [this.#rises - rise, this.#falls - fall];
    // A difference within floating-point error is no evidence.
    return rises < 1e-9 || falls < 1e-9 ? null : rises / falls;
  }
}

/** k₂(n₁−k₁)/N and k₁(n₂−k₂)/N of one task. */
function shares({ earlier, later }: Halves): [number, number] {
  const all = earlier.attempts + later.attempts;
  if (all === 0) return [0, 0];
  const rise = (later.successes * (earlier.attempts - earlier.successes)) / all;
  const fall = (earlier.successes * (later.attempts - later.successes)) / all;
  return [rise, fall];
}

/**
 * P(later successes ≤ those seen), given all successes of both halves, if the odds of success rise by this ratio between
 * them: the lower tail of Fisher's noncentral hypergeometric distribution, exact.
 */
export function lowerTail({ earlier, later }: Halves, oddsRatio: number): number {
  const successes = earlier.successes + later.successes;
  const first = Math.max(0, successes - earlier.attempts);
  const last = Math.min(later.attempts, successes);
  const logs: number[] = [0];
  for (let k = first; k < last; k++) {
    const up = ((later.attempts - k) * (successes - k)) / ((k + 1) * (earlier.attempts - successes + k + 1));
    logs.push((logs.at(-1) ?? 0) + Math.log(up * oddsRatio));
  }
  const most = largest(logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const sum = (some: readonly number[]): number => some.reduce((total, weight) => total + weight, 0);
  return sum(weights.slice(0, later.successes - first + 1)) / sum(weights);
}

/** The evidence for a coin-flip suspicion. */
export interface CoinFlip {
  /** p̂ of each half. */
  earlier: number;
  later: number;
  /** By which the odds of the other tasks rose. */
  oddsRatio: number;
}

/** Fewest judged attempts a half. */
const fewest = 6;
/** p̂ over both halves must lie in the middle: a task that always or never succeeds is no coin. */
const middle = { low: 0.25, high: 0.75 };
/** Chance of calling a task that learns as the others do a coin flip. */
const falseAlarm = 0.01;
/** The halves agree when a fall between them is no rarer than this. */
const agreement = 0.1;

/**
 * Suspects that success at a task is luck: its two halves agree on a p̂ in the middle, while the odds of the run's other
 * tasks rose so much that this task stays behind with a probability of at most 1 %. For a task that learns as the others
 * do the false-alarm rate is therefore ≤ 1 % (an exact conditional test; simulated at 0.3 % for 12 attempts a half).
 * @param oddsRatio of the other tasks; null where nothing is known of them
 */
export function coinFlip(halves: Halves, oddsRatio: number | null): CoinFlip | null {
  const { earlier, later } = halves;
  if (oddsRatio === null || Math.min(earlier.attempts, later.attempts) < fewest) return null;
  const p = (earlier.successes + later.successes) / (earlier.attempts + later.attempts);
  if (p < middle.low || p > middle.high) return null;
  if (lowerTail(halves, oddsRatio) > falseAlarm || lowerTail(halves, 1) < agreement) return null;
  return {
    earlier: earlier.successes / earlier.attempts,
    later: later.successes / later.attempts,
    oddsRatio,
  };
}
