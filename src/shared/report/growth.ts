/** Whether tasks grow while success stays: a measure of difficulty, regressed on the epoch and on success. */
import { outOfRange } from '../outOfRange.ts';

export interface MeasuredEpoch {
  epoch: number;
  /** Mean of the measure over its tasks. */
  value: number;
  successes: number;
  attempts: number;
}

export interface Growth {
  /** In the measure's unit an epoch, at the same success. */
  slope: number;
  /** Standard error of the slope; 0 where nothing is left over. */
  error: number;
  /** Epochs less what was estimated. */
  freedom: number;
}

/** Fewer epochs say nothing. */
const fewest = 5;

/**
 * The epoch's part in a least-squares regression of the measure on epoch and logit (k + ½)/(n + 1). Where success tells
 * nothing apart from the epoch, the regression on the epoch alone. Null under five epochs with an attempt.
 */
export function growthOf(epochs: readonly MeasuredEpoch[]): Growth | null {
  const rows = epochs.filter(({ attempts }) => attempts > 0);
  if (rows.length < fewest) return null;
  const y = centred(rows.map(({ value }) => value));
  const e = centred(rows.map(({ epoch }) => epoch));
  const l = centred(
    rows.map(({ successes, attempts }) => {
      const p = (successes + 0.5) / (attempts + 1);
      return Math.log(p / (1 - p));
    }),
  );
  const [ee, ll, el, ey, ly] = [dot(e, e), dot(l, l), dot(e, l), dot(e, y), dot(l, y)];
  const determinant = ee * ll - el ** 2;
  const both = determinant > 1e-9 * ee * ll;
  const slope = both ? (ey * ll - el * ly) / determinant : ey / ee;
  const onSuccess = both ? (ee * ly - el * ey) / determinant : 0;
  const left = y.reduce(
    (sum, value, i) => sum + (value - slope * (e[i] ?? outOfRange()) - onSuccess * (l[i] ?? outOfRange())) ** 2,
    0,
  );
  const freedom = rows.length - (both ? 3 : 2);
  const spread = both ? ll / determinant : 1 / ee;
  return { slope, error: Math.sqrt((left / freedom) * spread), freedom };
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? outOfRange()), 0);
