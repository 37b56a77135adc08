/** Rewards of a person's own file, asked once an epoch about all families and their attempts: the signal is the reward. */
import type { RewardKind } from './reward.ts';

export const file = { of: 'file' } satisfies RewardKind;
