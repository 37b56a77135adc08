import { binomial } from '../binomial.ts';

/**
 * McNemar's exact test: how likely changes at least this one-sided are, were a gain and a loss of a task alike. Two-sided
 * p-value; 1 where nothing changed.
 */
export function exactMcNemar(gained: number, lost: number): number {
  const { first, probabilities } = binomial(gained + lost, 0.5);
  const fewer = Math.min(gained, lost);
  const tail = probabilities.slice(0, Math.max(0, fewer - first + 1)).reduce((sum, one) => sum + one, 0);
  return Math.min(1, 2 * tail);
}
