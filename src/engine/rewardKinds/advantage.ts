/**
 * Mean magnitude of the agent's advantages at a task, mean |r − r̄|, 0…½: the L1 value loss that prioritised level replay
 * (arXiv 2010.03934) scores by, with the group's mean for a critic. Of binary verdicts 2p(1 − p).
 */
import type { RewardKind } from './reward.ts';

/** Of judged attempts' rewards in [0, 1]. */
export function advantageOf(rewards: readonly number[]): number {
  if (rewards.length === 0) return 0;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  return rewards.reduce((sum, reward) => sum + Math.abs(reward - mean), 0) / rewards.length;
}

const ofRate = (p: number): number => 2 * p * (1 - p);

export const advantage = {
  of: 'task',
  // Fractional rewards are in the signal; without it the verdicts count.
  reward: ({ successes, attempts, signal }) => signal ?? ofRate(successes / attempts),
  limit: ofRate,
} satisfies RewardKind;
