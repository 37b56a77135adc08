/** A page's state as tests show it. */
import { successRate } from '../../../../src/engine/math/successRate.ts';
import type { RescoreResult, RescoreRow, RescoreState } from '../../../../src/features/rescore/contract/page.ts';

export const fates = ['solved', 'error', 'solved', 'failed'] as const;

export const flip = (index: number): RescoreRow => {
  const after = fates[index % fates.length] ?? 'solved';
  const before = after === 'failed' ? 'solved' : 'failed';
  return {
    ...{ kind: 'flip', id: `e1/e1.f${index}.v0/r1`, epoch: 1, fate: { before, after } },
    reward: { before: before === 'solved' ? 1 : 0.1, after: after === 'solved' ? 1 : 0 },
    advantage: null,
    note: after === 'error' ? 'no calls in the answer (mine.reward.ts:7:11)' : null,
  };
};
export const moved = (index: number): RescoreRow => ({
  ...{ kind: 'flip', id: `e2/e2.f${index}.v0/r1`, epoch: 2, fate: { before: 'solved', after: 'solved' } },
  ...{ reward: { before: 1, after: 0.4 + index / 20 }, advantage: null, note: 'too long' },
});
export const turned = (index: number): RescoreRow => ({
  ...{ kind: 'flip', id: `e3/e3.f${index}.v0/r2`, epoch: 3, fate: { before: 'failed', after: 'failed' } },
  ...{ reward: { before: 0.3, after: 0.3 }, advantage: { before: 0.4, after: -1.2 }, note: null },
});
export const family = (index: number): RescoreRow => ({
  ...{ kind: 'family', family: `e1.f${index}`, epoch: 1, enters: index === 0 },
  successRate: { before: index === 0 ? 0.1 : 0.5, after: index === 0 ? 0.5 : null },
});

export const mean = (value: number) => ({ mean: value, low: value - 0.1, high: value + 0.1 });

export const result = (more: Partial<RescoreResult> = {}): RescoreResult => ({
  ...{ number: 1, attempts: 160_000, leftOut: 0, cutOff: 0, rewardsMoved: 12 },
  fates: {
    before: { solved: 40_000, failed: 120_000, error: 0 },
    after: { solved: 60_000, failed: 80_000, error: 20_000 },
  },
  rows: { flips: 80_000, solved: 40_000, failed: 20_000, error: 20_000, moved: 12, turned: 9, families: 2 },
  successRate: { before: successRate(30, 120), after: successRate(50, 110) },
  baseSuccessRate: { before: successRate(10, 40), after: successRate(10, 40) },
  validation: { before: successRate(0, 0), after: successRate(0, 0) },
  environmentReward: { before: mean(0.4), after: mean(0.6) },
  ...{ families: 16, inBand: { before: 6, after: 7 }, familiesKept: { before: 6, after: 7 } },
  ...{ effectiveSampleSize: { before: 5.5, after: 6.25 }, weightMoved: 0.31 },
  advantages: {
    ...{ groups: { before: 12, after: 14 }, attempts: 96, turned: 9, gained: 20, lost: 4, meanChange: 0.42 },
  },
  epochs: [1, 2, 3, 4].map((epoch) => ({
    epoch,
    successRate: { before: successRate(4 + 4 * epoch, 40), after: successRate(10 + 4 * epoch, 40) },
    environmentReward: { before: mean(0.3 + epoch / 20), after: mean(0.5 + epoch / 20) },
    inBand: { before: 2, after: 3 },
  })),
  faults: [
    {
      ...{ message: 'no calls in the answer', place: 'mine.reward.ts:7:11', trace: 'e1/e1.f1.v0/r1', attempts: 19_999 },
      stack: 'Error: no calls in the answer\n    at reward (mine.reward.ts:7:11)',
    },
    { message: 'took longer than 10 s', place: null, stack: null, trace: 'e2/e2.f3.v0/r0', attempts: 1 },
  ],
  otherFaults: 0,
  ...more,
});

export const state = (more: Partial<RescoreState> = {}): RescoreState => ({
  ...{ run: '/runs/one', runName: 'embedded demo', reward: '/home/ada/mine.reward.ts', rewardName: 'mine.reward.ts' },
  ...{ share: null, stale: false, failure: null, result: result(), appliedAs: null, applied: null },
  ...more,
});

export const applied = {
  rescoring: '1',
  reward: 'mine.reward.ts',
  author: 'ada',
  at: Date.UTC(2026, 10, 22),
  attempts: 160_000,
};
