/** R_env as a curve over the success rate. Pure. */
import { rewardAt, rewardKind } from '../../src/engine/rewardKinds/kinds.ts';
import type { RewardSettings } from '../../src/engine/rewardKinds/reward.ts';

export interface KernelPoint {
  p: number;
  reward: number;
}

/** `steps` + 1 points from p̂ = 0 to 1, α among them so that the peak is never cut off. */
export function kernelCurve(curriculum: RewardSettings, steps = 100): KernelPoint[] {
  // Nothing is known of a file's rewards at a success rate.
  if (rewardKind(curriculum).of === 'file') return [];
  const rates = Array.from({ length: steps + 1 }, (_, i) => i / steps);
  if (!rates.includes(curriculum.alpha)) rates.push(curriculum.alpha);
  return rates.sort((a, b) => a - b).map((p) => ({ p, reward: rewardAt(p, curriculum) }));
}
