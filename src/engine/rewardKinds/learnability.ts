/**
 * Learnability p(1 − p) of a task, p = k/n (SFL, arXiv 2408.15099): 0…¼. On few attempts it is low by the factor
 * (n − 1)/n; `learnabilityUnbiased.ts` is not.
 */
import type { RewardKind } from './reward.ts';

export const learnability = {
  of: 'task',
  reward: ({ successes, attempts }) => (successes * (attempts - successes)) / attempts ** 2,
  limit: (p) => p * (1 - p),
} satisfies RewardKind;
