/**
 * VCRL's value of a task (arXiv 2509.19803): the variance of its group's verdicts over the largest that n attempts can
 * have, k(n − k) / (⌊n/2⌋⌈n/2⌉), 0…1. Even n: 4k(n − k)/n².
 */
import type { RewardKind } from './reward.ts';

export const variance = {
  of: 'task',
  reward: ({ successes, attempts }) =>
    attempts < 2 ? null : (successes * (attempts - successes)) / (Math.floor(attempts / 2) * Math.ceil(attempts / 2)),
  limit: (p) => 4 * p * (1 - p),
} satisfies RewardKind;
