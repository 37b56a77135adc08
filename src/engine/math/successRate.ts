import type { SuccessRate } from '../../shared/journal/scores.ts';

/** 97.5 % quantile of the normal distribution: two-sided 95 %. */
export const z = 1.959963984540054;

/**
 * p̂ = k/n (Eq. 2) with its 95 % Wilson score interval; the interval is [0, 1] without attempts.
 * @param effective independent attempts that these are worth: all of them at one task, fewer over several (clusters.ts)
 */
export function successRate(successes: number, attempts: number, effective = attempts): SuccessRate {
  if (attempts === 0) return { successes, attempts, p: null, low: 0, high: 1, effective: 0 };
  const p = successes / attempts;
  const z2n = (z * z) / effective;
  const centre = (p + z2n / 2) / (1 + z2n);
  const half = (z / (1 + z2n)) * Math.sqrt((p * (1 - p)) / effective + z2n / (4 * effective));
  return {
    successes,
    attempts,
    p,
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === attempts ? 1 : Math.min(1, centre + half),
    effective,
  };
}

/**
 * By how much the second rate is above the first, with its 95 % interval: Newcombe's hybrid score interval (1998,
 * method 10), made of both Wilson intervals. Rates with overlapping intervals may still differ. [-1, 1] without
 * attempts.
 */
export function successDifference(before: SuccessRate, after: SuccessRate): { d: number; low: number; high: number } {
  if (before.p === null || after.p === null) return { d: 0, low: -1, high: 1 };
  const d = after.p - before.p;
  return {
    d,
    low: d - Math.hypot(after.p - after.low, before.high - before.p),
    high: d + Math.hypot(after.high - after.p, before.p - before.low),
  };
}

/**
 * Attempts of several rates counted as one: of one task, or each clustered by itself, as of several epochs. n attempts that
 * are worth e give p̂ a variance ∝ n²/e.
 */
export function pooled(rates: readonly Pick<SuccessRate, 'successes' | 'attempts' | 'effective'>[]): SuccessRate {
  let [successes, attempts, spread] = [0, 0, 0];
  for (const rate of rates) {
    if (rate.attempts === 0) continue;
    successes += rate.successes;
    attempts += rate.attempts;
    spread += rate.attempts * (rate.attempts / (rate.effective ?? rate.attempts));
  }
  return successRate(successes, attempts, attempts * (attempts / spread));
}

/** The input of R_env: p̂, or the posterior mean (k + 1)/(n + 2) under a flat prior. */
export function estimateOf(successes: number, attempts: number, estimate: 'mean' | 'posterior'): number {
  if (estimate === 'posterior') return (successes + 1) / (attempts + 2);
  return attempts === 0 ? 0 : successes / attempts;
}
