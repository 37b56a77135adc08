/** A step: 1 in the band |p̂ − α| ≤ k_min, else 0. The acceptance rule of EnvHarness (arXiv 2608.19880). */
import { inBand } from '../math/curriculum.ts';
import type { RewardKind } from './reward.ts';

export const step = { of: 'rate', reward: (p, settings) => (inBand(p, settings) ? 1 : 0) } satisfies RewardKind;
