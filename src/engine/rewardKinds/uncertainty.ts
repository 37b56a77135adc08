/**
 * R-Zero's reward of a challenger (arXiv 2508.05004): max(0, 1 − 2|p − ½| − λ_rep·|C|/B), 0…1. C is the cluster of alike
 * texts that a task is in, B the batch (`phases/repetition.ts`); p is the share of successes, where R-Zero, which has no
 * verifier, takes the share of answers that agree with the majority.
 */
import type { RewardKind } from './reward.ts';

const uncertain = (p: number): number => 1 - 2 * Math.abs(p - 0.5);

export const uncertainty = {
  of: 'task',
  reward: ({ successes, attempts, signal }, { reward }) =>
    Math.max(0, uncertain(successes / attempts) - (reward?.repetition ?? 0) * (signal ?? 0)),
  limit: uncertain,
} satisfies RewardKind;
