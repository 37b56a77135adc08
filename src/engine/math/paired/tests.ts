/** Tests that paired differences, one a seed, have no side. No distribution is assumed where they are exact. */
import { Rng } from '../../random.ts';
import { largest } from '../../../shared/extremes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of a sample: divided by n − 1. */
export function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

/** A share of a value that rounding may make of nothing. */
const dust = 1e-9;

/** Of a pair of values: 0 where they differ by rounding alone (0.3 − 0.1 and 0.2). */
export function differenceOf(value: number, other: number): number {
  const difference = value - other;
  return Math.abs(difference) <= dust * Math.max(Math.abs(value), Math.abs(other)) ? 0 : difference;
}

/** Their deviation; 0 where they differ by rounding alone. */
export function spreadOf(differences: readonly number[]): number {
  const spread = deviation(differences);
  return spread <= dust * Math.abs(mean(differences)) ? 0 : spread;
}

/** More pairs have more sign patterns than are worth counting one by one. */
const exactPairs = 20;
const draws = 20_000;
/** Pairs whose sum under every sign pattern is looked up. */
const together = 10;

export interface PairedTest {
  p: number;
  /** Every pattern was counted, and none drawn. */
  exact: boolean;
}

/**
 * Two-sided sign-flip test of a sum: the share of all 2ⁿ sign patterns whose sum is at least as far from zero, or of 20,000
 * drawn ones, (1 + b)/(1 + B).
 */
export function signFlipTest(differences: readonly number[]): PairedTest {
  const observed = Math.abs(differences.reduce((sum, d) => sum + d, 0));
  const scale = differences.reduce((sum, d) => sum + Math.abs(d), 0);
  const reached = observed - 1e-12 * scale;
  const n = differences.length;
  if (n > exactPairs) {
    const rng = Rng.from('sign-flip', n);
    let extreme = 0;
    const sums = sumsOfTens(differences);
    for (let b = 0; b < draws; b++) {
      let sum = 0;
      for (const ten of sums) sum += ten[rng.int(ten.length)] ?? outOfRange();
      if (Math.abs(sum) >= reached) extreme += 1;
    }
    return { p: (1 + extreme) / (1 + draws), exact: false };
  }
  let sum = differences.reduce((all, d) => all + d, 0);
  const signs = differences.map(() => 1);
  let extreme = Math.abs(sum) >= reached ? 1 : 0;
  // A Gray code changes one sign from pattern to pattern.
  for (let pattern = 1; pattern < 2 ** n; pattern++) {
    const at = 31 - Math.clz32(pattern & -pattern);
    const sign = signs[at] ?? 1;
    signs[at] = -sign;
    sum -= 2 * sign * (differences[at] ?? outOfRange());
    if (Math.abs(sum) >= reached) extreme += 1;
  }
  return { p: extreme / 2 ** n, exact: true };
}

/** Of every ten differences the sum under each of their sign patterns. */
function sumsOfTens(differences: readonly number[]): Float64Array[] {
  return Array.from({ length: Math.ceil(differences.length / together) }, (_, group) => {
    let sums = [0];
    for (const d of differences.slice(group * together, (group + 1) * together)) {
      sums = [...sums.map((sum) => sum + d), ...sums.map((sum) => sum - d)];
    }
    return Float64Array.from(sums);
  });
}

/**
 * Wilcoxon's signed ranks, zeros left out, ties at their mean rank: the sign-flip test of the ranks. Sizes that differ by
 * rounding alone are ties, and those that are nothing beside the largest are zeros.
 */
export function wilcoxonTest(differences: readonly number[]): PairedTest {
  const near = dust * largest(differences.map(Math.abs));
  const some = differences.filter((d) => Math.abs(d) > near);
  if (some.length === 0) return { p: 1, exact: true };
  const rank = (size: number): number => {
    const below = some.filter((d) => Math.abs(d) < size - near).length;
    const above = some.filter((d) => Math.abs(d) > size + near).length;
    return (below + some.length - above + 1) / 2;
  };
  return signFlipTest(some.map((d) => Math.sign(d) * rank(Math.abs(d))));
}

/** Statistics of so many resamples. */
const resamples = 10_000;

/**
 * Below which a bootstrap's p cannot fall: one resample in nⁿ⁻¹ draws one difference n times, without a spread and therefore
 * as far from zero as any; and p counts one resample more than are drawn.
 */
export const bootstrapLeast = (n: number): number => Math.max(1 / (1 + resamples), n ** (1 - n));

/**
 * Two-sided bootstrap-t test of a mean (Efron & Tibshirani 1993, 12.5): differences are moved to mean zero, drawn again,
 * and compared by their Student's t. By their means alone few differences would be told from zero far too often.
 */
export function bootstrapTest(differences: readonly number[]): PairedTest {
  const n = differences.length;
  const [centre, spread] = [mean(differences), spreadOf(differences)];
  if (spread === 0) return { p: centre === 0 ? 1 : bootstrapLeast(n), exact: false };
  const moved = differences.map((d) => d - centre);
  const reached = Math.abs(centre / spread) * (1 - dust);
  const none = (dust * spread) ** 2;
  const rng = Rng.from('bootstrap-test', n);
  let extreme = 0;
  for (let b = 0; b < resamples; b++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const d = moved[rng.int(n)] ?? outOfRange();
      sum += d;
      squares += d * d;
    }
    const variance = (squares - (sum * sum) / n) / (n - 1);
    if (variance <= none || Math.abs(sum / n) >= reached * Math.sqrt(variance)) extreme += 1;
  }
  return { p: Math.max(bootstrapLeast(n), (1 + extreme) / (1 + resamples)), exact: false };
}

/** Holm's p-values, in the order given: the chance of any false finding in the family stays below the level. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => (ps[a] ?? outOfRange()) - (ps[b] ?? outOfRange()));
  const adjusted = ps.map(() => 1);
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * (ps[i] ?? 1)));
    adjusted[i] = largest;
  }
  return adjusted;
}

/**
 * E-value of a t test with unknown variance, effect sizes being N(0, g) under the alternative (right Haar prior of the
 * deviation): valid whenever one stops, so that 1/α may be waited for. 1 for fewer than two pairs. Differences that are all
 * the same have the limit of those that are nearly so, which n bounds: two equal ones, as coarse measures often have, say little.
 */
export function sequentialEvidence(differences: readonly number[], g = 1): number {
  const n = differences.length;
  if (n < 2) return 1;
  const spread = spreadOf(differences);
  const centre = mean(differences);
  if (spread === 0) return centre === 0 ? 1 / Math.sqrt(1 + n * g) : (1 + n * g) ** ((n - 1) / 2);
  const t2 = n * (centre / spread) ** 2;
  const freedom = n - 1;
  const ratio = (1 + t2 / freedom) / (1 + t2 / ((1 + n * g) * freedom));
  return ratio ** (n / 2) / Math.sqrt(1 + n * g);
}
