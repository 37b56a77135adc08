/** The largest and the smallest of any number of values, which as arguments of `Math.max` need not fit on the stack. */

/** −∞ of none; NaN where one is. */
export function largest(values: Iterable<number>): number {
  let most = -Infinity;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** ∞ of none; NaN where one is. */
export function smallest(values: Iterable<number>): number {
  let least = Infinity;
  for (const value of values) least = Math.min(least, value);
  return least;
}
