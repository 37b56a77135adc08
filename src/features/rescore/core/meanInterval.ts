/** A mean with its 95 % interval by the normal approximation; null without values. */
export interface Mean {
  mean: number | null;
  low: number;
  high: number;
}

/** 97.5 % quantile of the normal distribution. */
const z = 1.959963984540054;

/** Of values within [0, 1], as the interval is; [0, 1] with fewer than two. */
export function meanInterval(values: readonly number[]): Mean {
  const n = values.length;
  if (n === 0) return { mean: null, low: 0, high: 1 };
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, low: 0, high: 1 };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const half = z * Math.sqrt(variance / n);
  return { mean, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}
