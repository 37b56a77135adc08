/**
 * Absolute Zero's reward of a proposer (arXiv 2505.03335): 1 − p, but 0 for a task that is never or always solved. Its
 * code gives these −½, which differs from 0 only in an update that compares texts. It favours p → 0: one success of 8
 * attempts earns most.
 */
import type { RewardKind } from './reward.ts';

export const proposer = {
  of: 'task',
  reward: ({ successes, attempts }) => (successes === 0 ? 0 : 1 - successes / attempts),
  limit: (p) => (p === 0 ? 0 : 1 - p),
} satisfies RewardKind;
