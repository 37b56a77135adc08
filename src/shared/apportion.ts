import { outOfRange } from './outOfRange.ts';

/**
 * Whole numbers in proportion to weights that sum to `total`, by the largest remainder (Hamilton): each gets its
 * quota's whole part, and the rest goes to the largest fractions, the first of equals. All zeros where no weight is
 * positive.
 */
export function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum <= 0) return weights.map(() => 0);
  // Quotas that are whole but for rounding are whole: 3 × ⅓ is 1.
  const quotas = weights.map((weight) => (total * weight) / sum + 1e-9);
  const counts = quotas.map(Math.floor);
  const left = total - counts.reduce((all, count) => all + count, 0);
  const fraction = (i: number): number =>
    Number(((quotas[i] ?? outOfRange()) - (counts[i] ?? outOfRange())).toFixed(9));
  const byFraction = weights.map((_, i) => i).sort((a, b) => fraction(b) - fraction(a) || a - b);
  for (const i of byFraction.slice(0, Math.max(0, left))) counts[i] = (counts[i] ?? outOfRange()) + 1;
  return counts;
}
