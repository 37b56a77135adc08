/** The difficulty-aligned reward of the environment and what follows from it (paper §2.2.2, §2.4). */

/** Comparison slack of the band: p̂ = 0.4 and 0.6 are inside k_min = 0.1. */
const tolerance = 1e-9;

/** R_env = exp(−β(p̂ − α)²) (Eq. 3), in (0, 1]. */
export function environmentReward(p: number, { alpha, beta }: { alpha: number; beta: number }): number {
  return Math.exp(-beta * (p - alpha) ** 2);
}

/** Whether |p̂ − α| ≤ k_min. */
export function inBand(p: number, { alpha, kMin }: { alpha: number; kMin: number }): boolean {
  return Math.abs(p - alpha) <= kMin + tolerance;
}

/** Where p̂ lies: in the band, else on which side of it. */
export function sideOfBand(p: number, band: { alpha: number; kMin: number }): 'tooHard' | 'inBand' | 'tooEasy' {
  if (inBand(p, band)) return 'inBand';
  return p < band.alpha ? 'tooHard' : 'tooEasy';
}

/**
 * The difficulty filter: 1 keeps, 0 leaves out. `soft` keeps units inside the band whole and fades those outside with a
 * Gaussian of width k_min, so that a cold start still has data to learn from.
 */
export function keepShare(p: number, filter: 'hard' | 'soft' | 'off', band: { alpha: number; kMin: number }): number {
  if (filter === 'off' || inBand(p, band)) return 1;
  if (filter === 'hard') return 0;
  // A band without width fades at once: the excess is infinite.
  const excess = (Math.abs(p - band.alpha) - band.kMin) / band.kMin;
  return Math.exp(-(excess ** 2) / 2);
}

/** Self-normalised weights ∝ keep · exp(λR) (§2.4); they sum to 1, or are all 0 when nothing is kept. */
export function regressionWeights(units: readonly { reward: number; keep: number }[], lambda: number): number[] {
  // Subtracting the largest reward changes nothing after normalisation and keeps exp(λR) finite for any λ.
  const top = units.reduce((most, unit) => (unit.keep > 0 ? Math.max(most, unit.reward) : most), -Infinity);
  const raw = units.map(({ keep, reward }) => (keep === 0 ? 0 : keep * Math.exp(lambda * (reward - top))));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? raw : raw.map((weight) => weight / total);
}

/**
 * Weights of rejection fine-tuning: only the share of the kept units with the highest rewards counts, each by its share
 * after the filter. Units with the same reward as the last of these count too. The weights sum to 1, or are all 0.
 */
export function bestWeights(units: readonly { reward: number; keep: number }[], share: number): number[] {
  const kept = units.filter(({ keep }) => keep > 0).map(({ reward }) => reward);
  const last = kept.sort((a, b) => b - a)[Math.ceil(share * kept.length - tolerance) - 1] ?? Infinity;
  const raw = units.map(({ reward, keep }) => (reward >= last - tolerance ? keep : 0));
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? raw : raw.map((weight) => weight / total);
}

/** (Σw)²/Σw²: how many equally weighted units these weights are worth; 0 without any. */
export function effectiveSampleSize(weights: Iterable<number>): number {
  let sum = 0;
  let squares = 0;
  for (const weight of weights) {
    sum += weight;
    squares += weight * weight;
  }
  return squares === 0 ? 0 : (sum * sum) / squares;
}
