/**
 * Learnability without its bias on few attempts: k(n − k)/(n(n − 1)), whose expectation is p(1 − p) for every n ≥ 2.
 * The sample variance of a binary verdict, 0…½ (n = 2, k = 1). One attempt has no estimate.
 */
import type { RewardKind } from './reward.ts';

export const learnabilityUnbiased = {
  of: 'task',
  reward: ({ successes, attempts }) =>
    attempts < 2 ? null : (successes * (attempts - successes)) / (attempts * (attempts - 1)),
  limit: (p) => p * (1 - p),
} satisfies RewardKind;
