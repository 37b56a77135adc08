/** pass@k: the chance that at least one of k attempts solves a task (Chen et al., 2021). */
import type { PassAtK } from '../../shared/journal/scores.ts';
import { successRate } from './successRate.ts';

/** Attempts at one task: n, and c of them successes. */
export interface Tries {
  attempts: number;
  successes: number;
}

/** 1 − C(n − c, k)/C(n, k), unbiased, for n ≥ k ≥ 1, as a product: exact to rounding for any n. */
export function passAtK({ attempts: n, successes: c }: Tries, k: number): number {
  let none = 1;
  for (let i = n - c + 1; i <= n; i++) none *= 1 - k / i;
  return 1 - none;
}

/**
 * The interval is Wilson's with the mean as the rate and tasks as the attempts. Exact in kind for one attempt a task;
 * wider than needed for more, because no mean of values in [0, 1] varies more than that of outcomes that are 0 or 1.
 */
export function meanPassAtK(tries: readonly Tries[], k: number): PassAtK {
  const enough = tries.filter(({ attempts }) => attempts >= k);
  const sum = enough.reduce((total, one) => total + passAtK(one, k), 0);
  const { p, low, high } = successRate(sum, enough.length);
  return { k, tasks: enough.length, value: p, low, high };
}
