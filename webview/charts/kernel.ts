/** R_env as a curve over the success rate. Pure. */
import { rewardAt } from '../../src/engine/curricula/kinds.ts';
import type { RewardSettings } from '../../src/engine/curricula/reward.ts';

export interface KernelPoint {
  p: number;
  reward: number;
}

/** `steps` + 1 points from p̂ = 0 to 1, α among them so that the peak is never cut off. */
export function kernelCurve(curriculum: RewardSettings, steps = 100): KernelPoint[] {
  const rates = Array.from({ length: steps + 1 }, (_, i) => i / steps);
  if (!rates.includes(curriculum.alpha)) rates.push(curriculum.alpha);
  return rates.sort((a, b) => a - b).map((p) => ({ p, reward: rewardAt(p, curriculum) }));
}
