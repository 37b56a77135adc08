/** P(k) for k successes of n attempts, where it is not negligible: from `first` on. */
export interface BinomialSupport {
  first: number;
  probabilities: number[];
}

/** Tails below this share of the mode's probability add nothing that a double could show. */
const negligible = 1e-18;

/**
 * The binomial distribution of n attempts at success rate p. Ratios of neighbours from the mode outwards: exact to
 * rounding for any n, without factorials.
 */
export function binomial(n: number, p: number): BinomialSupport {
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  const above: number[] = [];
  for (let k = mode, weight = 1; k < n; k++) {
    weight *= ((n - k) / (k + 1)) * odds;
    if (weight < negligible) break;
    above.push(weight);
  }
  const below: number[] = [];
  for (let k = mode, weight = 1; k > 0; k--) {
    weight *= k / (n - k + 1) / odds;
    if (weight < negligible) break;
    below.push(weight);
  }
  const weights = [...below.toReversed(), 1, ...above];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { first: mode - below.length, probabilities: weights.map((weight) => weight / total) };
}
