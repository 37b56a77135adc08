/** GenEnv's kernel (arXiv 2512.19682, Eq. 3): R = exp(−β(p̂ − α)²), in (0, 1]. */
import { environmentReward } from '../math/curriculum.ts';
import type { RewardKind } from './reward.ts';

export const kernel = { of: 'rate', reward: environmentReward } satisfies RewardKind;
