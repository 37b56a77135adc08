import { z } from './successRate.ts';

/** Coefficients of 1/ν, 1/ν², … in the expansion of Student's quantile about the normal one. */
const expansion = [
  (z ** 3 + z) / 4,
  (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
  (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
];

/**
 * 97.5 % quantile of Student's t with ν ≥ 1 degrees of freedom: closed forms for one and two, from three on the expansion
 * of Abramowitz and Stegun (26.7.5), to 0.2 %. Intervals in journals use it, so that journals stay equal across releases;
 * `paired/student.ts` is exact.
 */
export function expandedQuantile(freedom: number): number {
  if (freedom === 1) return Math.tan(Math.PI * 0.475);
  if (freedom === 2) return 0.95 * Math.sqrt(2 / (1 - 0.95 ** 2));
  return expansion.reduce((sum, coefficient, i) => sum + coefficient / freedom ** (i + 1), z);
}
