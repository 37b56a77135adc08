/**
 * Regret of the agent at a task: the best reward of its group less the mean one, 0…1. PAIRED's (arXiv 2012.02096) with the
 * best attempt in place of a second agent. The best of n is optimistic: where p = 0.1, one of 8 succeeds with 57 %.
 */
import type { RewardKind } from './reward.ts';

/** Of judged attempts' rewards in [0, 1]. */
export function regretOf(rewards: readonly number[]): number {
  let [most, sum] = [0, 0];
  for (const reward of rewards) {
    most = Math.max(most, reward);
    sum += reward;
  }
  return rewards.length === 0 ? 0 : most - sum / rewards.length;
}

const ofRate = (p: number): number => (p === 0 ? 0 : 1 - p);

export const regret = {
  of: 'task',
  // Fractional rewards are in the signal; without it the verdicts count.
  reward: ({ successes, attempts, signal }) => signal ?? ofRate(successes / attempts),
  limit: ofRate,
} satisfies RewardKind;
