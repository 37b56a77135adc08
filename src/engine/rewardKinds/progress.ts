/**
 * Learning progress |p̂ − p̂′|, 0…1: p̂ of a family against that of the newest family of the same seed, attempted by an
 * earlier version of the agent (TSCL, arXiv 1707.00183, and ALP-GMM, arXiv 1910.07224, with seeds for tasks). Written tasks
 * are new in every epoch, so that a task itself has no earlier p̂. Unknown at a seed's first family, and where the agent was
 * not updated since. Chance alone makes about 1.13·√(p(1 − p)/n) of it.
 */
import type { RewardKind } from './reward.ts';

export const progress = { of: 'change' } satisfies RewardKind;

/** The success rate of a seed's newest family, and the version of the agent that attempted it. */
export interface SeedRate {
  p: number;
  version: string;
}

/** Null where there is nothing to compare with. */
export function progressOf(now: SeedRate | null, before: SeedRate | undefined): number | null {
  if (now === null || before === undefined || before.version === now.version) return null;
  return Math.abs(now.p - before.p);
}
