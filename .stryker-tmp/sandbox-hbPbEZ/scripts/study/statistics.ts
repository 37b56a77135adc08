/** Small-sample statistics over seeds. Two runs with one seed share everything but the mode, so tests are paired. */

/** 97.5 % quantiles of Student's t for 1 … 15 degrees of freedom. */
const tTable = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
];

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean with its 95 % t interval. @throws RangeError outside 2 … 16 values */
export function meanInterval(values: readonly number[]): Interval {
  const t = tTable[values.length - 2];
  if (t === undefined) throw new RangeError(`The t table covers 2 to 16 seeds, not ${values.length}.`);
  const centre = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
  const half = t * Math.sqrt(variance / values.length);
  return { mean: centre, low: centre - half, high: centre + half };
}

/**
 * Exact two-sided sign-flip test that paired differences have mean zero: the share of all 2^n sign patterns whose mean
 * is at least as far from zero. No distribution is assumed; with n seeds it cannot go below 2/2^n.
 */
export function signFlipTest(differences: readonly number[]): number {
  const observed = Math.abs(mean(differences));
  let extreme = 0;
  const patterns = 2 ** differences.length;
  for (let pattern = 0; pattern < patterns; pattern++) {
    const flipped = differences.reduce((sum, d, i) => sum + ((pattern >> i) & 1 ? -d : d), 0) / differences.length;
    if (Math.abs(flipped) >= observed - 1e-12) extreme += 1;
  }
  return extreme / patterns;
}
