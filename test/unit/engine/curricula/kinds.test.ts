/** Kinds of reward against values computed by hand, and what must hold of each. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { advantageOf } from '../../../../src/engine/rewardKinds/advantage.ts';
import { rewardAt, rewardKind, taskReward, type RewardName } from '../../../../src/engine/rewardKinds/kinds.ts';
import { progressOf } from '../../../../src/engine/rewardKinds/progress.ts';
import { regretOf } from '../../../../src/engine/rewardKinds/regret.ts';
import { rewardNameSchema } from '../../../../src/shared/experiment/schema.ts';

const settings = (kind: RewardName, repetition = 1) => ({
  ...{ alpha: 0.5, beta: 2, kMin: 0.25 },
  reward: { kind, repetition },
});

/** R_env of k successes of 8 attempts at one task. */
const ofEight = (kind: RewardName, k: number, signal: number | null = null): number | null =>
  taskReward({ successes: k, attempts: 8, signal }, settings(kind));

const near = (actual: number | null, expected: number): void => {
  assert.ok(actual !== null && Math.abs(actual - expected) < 5e-5, `${actual} is not ${expected}`);
};

/** By kind: 0, 1, 2, 4, 6, 7 and 8 successes of 8. */
const byHand: Partial<Record<RewardName, readonly number[]>> = {
  kernel: [0.6065, 0.7548, 0.8825, 1, 0.8825, 0.7548, 0.6065],
  step: [0, 0, 1, 1, 1, 0, 0],
  learnability: [0, 0.1094, 0.1875, 0.25, 0.1875, 0.1094, 0],
  'learnability-unbiased': [0, 0.125, 0.2143, 0.2857, 0.2143, 0.125, 0],
  variance: [0, 0.4375, 0.75, 1, 0.75, 0.4375, 0],
  uncertainty: [0, 0.25, 0.5, 1, 0.5, 0.25, 0],
  proposer: [0, 0.875, 0.75, 0.5, 0.25, 0.125, 0],
  regret: [0, 0.875, 0.75, 0.5, 0.25, 0.125, 0],
  advantage: [0, 0.2188, 0.375, 0.5, 0.375, 0.2188, 0],
};

describe('kinds of reward', () => {
  for (const [name, values] of Object.entries(byHand)) {
    it(`has the values computed by hand: ${name}`, () => {
      const kind = rewardNameSchema.parse(name);
      for (const [i, k] of [0, 1, 2, 4, 6, 7, 8].entries()) near(ofEight(kind, k), values[i] ?? NaN);
    });
  }

  it('takes R-Zero’s penalty by the cluster’s share of the batch, and never below 0', () => {
    // B = 4: a cluster of two, and a text of its own.
    near(taskReward({ successes: 5, attempts: 10, signal: 0.5 }, settings('uncertainty')), 0.5);
    near(taskReward({ successes: 3, attempts: 10, signal: 0.5 }, settings('uncertainty')), 0.1);
    near(taskReward({ successes: 5, attempts: 10, signal: 0.25 }, settings('uncertainty')), 0.75);
    near(taskReward({ successes: 1, attempts: 10, signal: 0.5 }, settings('uncertainty')), 0);
    near(taskReward({ successes: 3, attempts: 10, signal: 0.5 }, settings('uncertainty', 0)), 0.6);
  });

  it('reads rewards between 0 and 1 where these tell more than verdicts', () => {
    near(regretOf([0.2, 0.4, 0.9]), 0.4);
    near(advantageOf([0.2, 0.4, 0.9]), 0.8 / 3);
    near(ofEight('regret', 0, 0.4), 0.4);
    assert.equal(regretOf([]), 0);
  });

  it('compares a seed’s p̂ between versions of the agent alone', () => {
    const now = { p: 0.125, version: 'agent@3' };
    near(progressOf(now, { p: 0.625, version: 'agent@1' }), 0.5);
    assert.equal(progressOf(now, { p: 0.625, version: 'agent@3' }), null);
    assert.equal(progressOf(now, undefined), null);
    assert.equal(progressOf(null, now), null);
  });

  it('knows nothing of a task without a judged attempt, or of a variance of one', () => {
    for (const kind of rewardNameSchema.options) {
      assert.equal(taskReward({ successes: 0, attempts: 0, signal: 0.5 }, settings(kind)), null);
    }
    for (const kind of ['variance', 'learnability-unbiased'] as const) {
      assert.equal(taskReward({ successes: 1, attempts: 1, signal: null }, settings(kind)), null);
    }
    assert.equal(ofEight('progress', 4), null);
  });

  it('has VCRL’s odd groups reach 1 as well', () => {
    near(taskReward({ successes: 2, attempts: 5, signal: null }, settings('variance')), 1);
    near(taskReward({ successes: 1, attempts: 5, signal: null }, settings('variance')), (4 * 4) / 24);
  });

  const counts = fc
    .record({ attempts: fc.integer({ min: 2, max: 64 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ attempts, share }) => ({ attempts, successes: Math.round(share * attempts), signal: null }));

  it('lies in [0, 1] for any counts', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(...rewardNameSchema.options), (task, kind) => {
        const reward = taskReward(task, settings(kind));
        assert.ok(reward === null || (reward >= 0 && reward <= 1));
      }),
    );
  });

  it('pays nothing for what is never or always solved, but by the kernel', () => {
    const paysNothing = rewardNameSchema.options.filter((kind) => !['kernel', 'progress', 'file'].includes(kind));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 64 }), fc.constantFrom(...paysNothing), (attempts, kind) => {
        for (const successes of [0, attempts])
          assert.equal(taskReward({ successes, attempts, signal: null }, settings(kind)), 0);
      }),
    );
  });

  it('is as good on k successes as on k failures, but by regret and the proposer’s', () => {
    const symmetric = rewardNameSchema.options.filter(
      (kind) => !['progress', 'regret', 'proposer', 'file'].includes(kind),
    );
    fc.assert(
      fc.property(counts, fc.constantFrom(...symmetric), (task, kind) => {
        const turned = { ...task, successes: task.attempts - task.successes };
        near(taskReward(task, settings(kind)), taskReward(turned, settings(kind)) ?? NaN);
      }),
    );
  });

  it('comes to its limit with many attempts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.constantFrom(...rewardNameSchema.options), (percent, kind) => {
        if (['change', 'file'].includes(rewardKind(settings(kind)).of)) return;
        const many = { successes: percent * 10_000, attempts: 1_000_000, signal: null };
        near(taskReward(many, settings(kind)), rewardAt(percent / 100, settings(kind)));
      }),
    );
  });

  it('has no bias where it says so: its mean over binomial counts is p(1 − p)', () => {
    const [n, p] = [4, 0.3];
    const chances = [0.2401, 0.4116, 0.2646, 0.0756, 0.0081];
    const mean = (kind: RewardName) =>
      chances.reduce(
        (sum, chance, successes) =>
          sum + chance * (taskReward({ successes, attempts: n, signal: null }, settings(kind)) ?? 0),
        0,
      );
    near(mean('learnability-unbiased'), p * (1 - p));
    near(mean('learnability'), p * (1 - p) * 0.75);
  });
});
