import { Rng } from '../../random.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Means of so many resamples give the interval's ends to about a fiftieth of its width. */
const resamples = 10_000;

/** 95 % percentile interval of a mean over tasks, tasks being drawn again; the same each time it is asked. */
export function bootstrapMean(values: readonly number[]): { mean: number; low: number; high: number } {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const rng = Rng.from('bootstrap', n);
  const means = new Float64Array(resamples);
  for (let b = 0; b < resamples; b++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[rng.int(n)] ?? outOfRange();
    means[b] = sum / n;
  }
  means.sort();
  return {
    mean,
    low: means[Math.floor(0.025 * resamples)] ?? mean,
    high: means[Math.ceil(0.975 * resamples) - 1] ?? mean,
  };
}
