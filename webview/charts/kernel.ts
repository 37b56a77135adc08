/** The reward kernel R_env = exp(−β(p̂ − α)²) as a curve. Pure. */
import { environmentReward } from '../../src/engine/math/curriculum.ts';

export interface KernelPoint {
  p: number;
  reward: number;
}

/** `steps` + 1 points from p̂ = 0 to 1, α among them so that the peak is never cut off. */
export function kernelCurve(curriculum: { alpha: number; beta: number }, steps = 100): KernelPoint[] {
  const rates = Array.from({ length: steps + 1 }, (_, i) => i / steps);
  if (!rates.includes(curriculum.alpha)) rates.push(curriculum.alpha);
  return rates.sort((a, b) => a - b).map((p) => ({ p, reward: environmentReward(p, curriculum) }));
}
