import assert from 'node:assert/strict';
import fc from 'fast-check';
import { groupAdvantages, groupKind } from '../../../../src/engine/math/advantage.ts';
import {
  effectiveSampleSize,
  environmentReward,
  inBand,
  keepShare,
  bestWeights,
  regressionWeights,
  sideOfBand,
} from '../../../../src/engine/math/curriculum.ts';
import { entropyAfter, klAfter, klV1, klV2, shapeAdvantages } from '../../../../src/engine/math/kl.ts';
import {
  advantageDatum,
  appendTurn,
  atSampled,
  sampledCount,
  weightDatum,
} from '../../../../src/engine/math/sequence.ts';
import { estimateOf, pooled, successDifference, successRate } from '../../../../src/engine/math/successRate.ts';
import type { Sequence } from '../../../../src/shared/records/trace.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const close = (actual: number, expected: number, tolerance = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

/** Share of families the band keeps at true success p with n attempts: exact binomial. */
function keptShare(n: number, p: number): number {
  let share = 0;
  let choose = 1;
  for (let k = 0; k <= n; k++) {
    if (inBand(k / n, { alpha: 0.5, kMin: 0.1 })) share += choose * p ** k * (1 - p) ** (n - k);
    choose = (choose * (n - k)) / (k + 1);
  }
  return share;
}

describe('success rate', () => {
  it('has the Wilson interval of worked examples', () => {
    const half = successRate(5, 10);
    close(half.low, 0.236593);
    close(half.high, 0.763407);
    const one = successRate(1, 20);
    close(one.low, 0.0088814);
    close(one.high, 0.2361307);
  });

  it('knows nothing without attempts and is certain of neither end', () => {
    assert.deepEqual(successRate(0, 0), { successes: 0, attempts: 0, p: null, low: 0, high: 1, effective: 0 });
    assert.equal(successRate(0, 8).low, 0);
    assert.ok(successRate(0, 8).high > 0.3);
    for (let n = 1; n <= 200; n++) assert.equal(successRate(n, n).high, 1);
  });

  it('holds its own p and shrinks with attempts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (n, raw) => {
        const k = raw % (n + 1);
        const rate = successRate(k, n);
        const more = successRate(k * 4, n * 4);
        assert.ok(rate.p !== null && rate.low <= rate.p && rate.p <= rate.high);
        assert.ok(more.high - more.low < rate.high - rate.low);
      }),
    );
  });

  it('pools attempts, not rates', () => {
    const rate = pooled([successRate(1, 2), successRate(0, 8)]);
    assert.deepEqual([rate.successes, rate.attempts, rate.p], [1, 10, 0.1]);
  });

  it('differs by an interval that Newcombe published (1998, table II, method 10)', () => {
    const difference = successDifference(successRate(48, 80), successRate(56, 70));
    close(difference.d, 0.2);
    assert.deepEqual([difference.low.toFixed(4), difference.high.toFixed(4)], ['0.0524', '0.3339']);
    const unknown = { d: 0, low: -1, high: 1 };
    assert.deepEqual(successDifference(successRate(0, 0), successRate(1, 1)), unknown);
    assert.deepEqual(successDifference(successRate(1, 1), successRate(0, 0)), unknown);
  });

  it('shrinks the posterior mean towards a half', () => {
    close(estimateOf(0, 4, 'posterior'), 1 / 6);
    assert.equal(estimateOf(3, 4, 'mean'), 0.75);
    assert.equal(estimateOf(0, 0, 'mean'), 0);
  });
});

describe('α-curriculum reward', () => {
  it('is exp(−β(p̂ − α)²)', () => {
    assert.equal(environmentReward(0.5, { alpha: 0.5, beta: 2 }), 1);
    close(environmentReward(0, { alpha: 0.5, beta: 2 }), 0.60653066);
    close(environmentReward(0.25, { alpha: 0.5, beta: 5 }), 0.73161563);
  });

  it('keeps 0.4 and 0.6 inside k_min = 0.1 whatever floating point says', () => {
    for (const p of [0.4, 0.6, 4 / 10, 6 / 10, 2 / 5, 3 / 5, 0.5 - 0.1, 0.5 + 0.1]) {
      assert.ok(inBand(p, { alpha: 0.5, kMin: 0.1 }), `${p}`);
    }
    assert.ok(!inBand(0.39, { alpha: 0.5, kMin: 0.1 }));
    assert.ok(inBand(1e-9, { alpha: 0, kMin: 0 }), 'the slack itself is inside');
  });

  it('tells on which side of the band p̂ lies', () => {
    const sides = [0.39, 0.4, 0.6, 0.61].map((p) => sideOfBand(p, { alpha: 0.5, kMin: 0.1 }));
    assert.deepEqual(sides, ['tooHard', 'inBand', 'inBand', 'tooEasy']);
  });

  it('keeps the shares of the exact binomial table', () => {
    const table: [number, number, number][] = [
      [4, 0.5, 0.38],
      [5, 0.4, 0.58],
      [8, 0.3, 0.14],
      [10, 0.5, 0.66],
      [16, 0.5, 0.55],
      [64, 0.5, 0.9],
    ];
    for (const [n, p, share] of table) close(keptShare(n, p), share, 0.0051);
  });

  it('fades outside the band when soft', () => {
    const band = { alpha: 0.5, kMin: 0.1 };
    assert.equal(keepShare(0.6, 'soft', band), 1);
    close(keepShare(0.7, 'soft', band), Math.exp(-0.5));
    assert.equal(keepShare(0.7, 'hard', band), 0);
    assert.equal(keepShare(0.99, 'off', band), 1);
    assert.equal(keepShare(0.7, 'soft', { alpha: 0.5, kMin: 0 }), 0);
  });
});

describe('regression weights', () => {
  it('are proportional to keep · exp(λR)', () => {
    const weights = regressionWeights(
      [
        { reward: 1, keep: 1 },
        { reward: 0.6065, keep: 1 },
        { reward: 1, keep: 0 },
      ],
      1,
    );
    close((weights[0] ?? outOfRange()) / (weights[1] ?? 1), Math.exp(1 - 0.6065));
    assert.equal(weights[2], 0);
  });

  it('sum to 1, never overflow, and are worth between one and all units', () => {
    const unit = fc.record({ reward: fc.double({ min: 0, max: 1, noNaN: true }), keep: fc.constantFrom(0, 0.3, 1) });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom(0, 1, 10, 1000), (units, lambda) => {
        const weights = regressionWeights(units, lambda);
        const kept = units.filter(({ keep }) => keep > 0).length;
        const sum = weights.reduce((total, weight) => total + weight, 0);
        if (kept === 0) assert.equal(sum, 0);
        else close(sum, 1, 1e-9);
        const size = effectiveSampleSize(weights);
        assert.ok(size >= Math.min(1, kept) - 1e-9 && size <= kept + 1e-9);
      }),
    );
  });

  it('stay finite where a unit outside the band has a far larger reward', () => {
    const units = [
      { reward: 0.1, keep: 1 },
      { reward: 1, keep: 0 },
    ];
    assert.deepEqual(regressionWeights(units, 1e4), [1, 0]);
    // A curriculum file may pay every task less than nothing.
    const paid = [-8, -9.5].map((reward) => ({ reward, keep: 1 }));
    assert.deepEqual(regressionWeights(paid, 1000), [1, 0]);
    close(regressionWeights(paid, 1)[1] ?? NaN, 1 / (1 + Math.exp(1.5)));
  });

  it('have the effective sample size (Σw)²/Σw²', () => {
    close(effectiveSampleSize([0.5, 0.25, 0.25]), 1 / 0.375);
    assert.equal(effectiveSampleSize([]), 0);
  });
});

describe('weights of rejection fine-tuning', () => {
  const earned = (...rewards: number[]) => rewards.map((reward) => ({ reward, keep: 1 }));

  it('are equal over the best share, rounded up, and 0 elsewhere', () => {
    assert.deepEqual(bestWeights(earned(0.1, 0.9, 0.5, 0.7), 0.5), [0, 0.5, 0, 0.5]);
    assert.deepEqual(bestWeights(earned(0.1, 0.9, 0.5, 0.7), 0.51), [0, 1 / 3, 1 / 3, 1 / 3]);
    assert.deepEqual(bestWeights(earned(0.2, 0.1), 1), [0.5, 0.5]);
  });

  it('take what earns as much as the last one, too', () => {
    assert.deepEqual(bestWeights(earned(0.5, 0.9, 0.5), 0.5), [1 / 3, 1 / 3, 1 / 3]);
  });

  it('count what the filter keeps, by how much it keeps of it', () => {
    const units = [
      { reward: 1, keep: 0 },
      { reward: 0.5, keep: 1 },
      { reward: 0.4, keep: 0.25 },
      { reward: 0.1, keep: 1 },
    ];
    assert.deepEqual(bestWeights(units, 2 / 3), [0, 0.8, 0.2, 0]);
    assert.deepEqual(bestWeights([{ reward: 1, keep: 0 }], 0.5), [0]);
  });
});

describe('group-relative advantages', () => {
  it('are rewards less the mean, or divided by the deviation as verl does', () => {
    assert.deepEqual(groupAdvantages([1, 0, 0, 1], 'none'), [0.5, -0.5, -0.5, 0.5]);
    const scaled = groupAdvantages([1, 0, 0, 1], 'group-std');
    close(scaled[0] ?? outOfRange(), 0.5 / (0.57735027 + 1e-6), 1e-7);
  });

  it('always sum to nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 16 }), (rewards) => {
        close(
          groupAdvantages(rewards, 'none').reduce((sum, a) => sum + a, 0),
          0,
          1e-9,
        );
      }),
    );
  });

  it('call constant groups by what they are', () => {
    const group = (...rewards: number[]) => rewards.map((reward) => ({ reward, success: reward > 0.5 }));
    assert.equal(groupKind(group(1, 1)), 'solved');
    assert.equal(groupKind(group(0, 0)), 'hopeless');
    assert.equal(groupKind(group(0.2, 0.2)), 'hopeless');
    assert.equal(groupKind(group(1, 0)), 'trained');
    const shaped = [true, false].map((success) => ({ reward: 0.5, success }));
    assert.equal(groupKind(shaped), 'hopeless', 'equal rewards of which one is a success are not all solved');
  });
});

describe('KL', () => {
  it('has the worked estimates', () => {
    const q = [-1.2, -1.5, -0.25];
    const p = [-1, -2, -0.25];
    close(klV1(q, p), 0.1);
    close(klV2(q, p), 0.048333, 1e-6);
    close(entropyAfter(q, q), 0.983333, 1e-6);
    close(klAfter(q, p, q), (Math.exp(0.2) * 0.2 - Math.exp(-0.5) * 0.5) / 3, 1e-12);
  });

  it('is 0 without tokens', () => {
    assert.deepEqual([klV1([], []), klV2([], []), entropyAfter([], []), klAfter([], [], [])], [0, 0, 0, 0]);
    assert.deepEqual(shapeAdvantages([], [], [], 0.1), { kl: 0, advantages: [] });
  });

  it('lets no token count for more than ten', () => {
    const [q, p] = [[Math.log(0.01)], [Math.log(0.5)]];
    close(entropyAfter(q, p), 10 * Math.log(2), 1e-12);
    close(klAfter(q, p, q), 10 * Math.log(50), 1e-12);
  });

  it('is of the updated policy, though the one before it sampled', () => {
    const [before, after, reference] = [
      [0.5, 0.3, 0.2],
      [0.62, 0.28, 0.1],
      [0.2, 0.5, 0.3],
    ];
    // Ten tokens in exactly the shares that the policy before draws them in.
    const drawn = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2];
    const logs = (shares: readonly number[]): number[] => drawn.map((token) => Math.log(shares[token] ?? NaN));
    const exact = (value: (p: number, token: number) => number): number =>
      after.reduce((sum, p, token) => sum + p * value(p, token), 0);
    close(
      klAfter(logs(before), logs(after), logs(reference)),
      exact((p, token) => Math.log(p / (reference[token] ?? NaN))),
    );
    close(
      entropyAfter(logs(before), logs(after)),
      exact((p) => -Math.log(p)),
    );
    // One update away from its start a policy is no nearer to it than at it.
    assert.ok(klAfter(logs(before), logs(after), logs(before)) > 0);
    assert.equal(klAfter(logs(before), logs(before), logs(before)), 0);
    // A token that has become far likelier counts for ten at most.
    close(klAfter([-9], [0], [-1]), 10);
  });

  it('shapes advantages without moving their mean', () => {
    const shaped = shapeAdvantages([[1, 1], [-1]], [[-1, -2], [-1.5]], [[-1.5, -2], [-1]], 0.1);
    close(shaped.kl, (0.5 + 0 - 0.5) / 3);
    assert.deepEqual(
      shaped.advantages.map((row) => row.map((a) => Math.round(a * 1e6) / 1e6)),
      [[0.95, 1], [-0.95]],
    );
    const total = shaped.advantages.flat().reduce((sum, a) => sum + a, 0);
    close(total, 1);
  });
});

describe('sequences', () => {
  const sequence: Sequence = { tokens: [10, 11, 12, 20, 21], spans: [[3, 5]], logprobs: [-0.1, -0.7] };

  it('become datums aligned with their tokens', () => {
    assert.deepEqual(advantageDatum(sequence, [0.5, 0.5]), {
      tokens: [10, 11, 12, 20, 21],
      logprobs: [0, 0, 0, -0.1, -0.7],
      advantages: [0, 0, 0, 0.5, 0.5],
    });
    assert.deepEqual(weightDatum(sequence, [1, 2]).weights, [0, 0, 0, 1, 2]);
    assert.deepEqual(atSampled(sequence, [0, 1, 2, 3, 4]), [3, 4]);
  });

  it('grow while a turn extends what was said, and start anew when history was rewritten', () => {
    const sequences: Sequence[] = [];
    appendTurn(sequences, { promptTokens: [1, 2], tokens: [3], logprobs: [-1] });
    appendTurn(sequences, { promptTokens: [1, 2, 3, 9], tokens: [4, 5], logprobs: [-2, -3] });
    assert.deepEqual(sequences, [
      {
        tokens: [1, 2, 3, 9, 4, 5],
        spans: [
          [2, 3],
          [4, 6],
        ],
        logprobs: [-1, -2, -3],
      },
    ]);
    appendTurn(sequences, { promptTokens: [1, 7], tokens: [8], logprobs: [-4] });
    assert.equal(sequences.length, 2);
    appendTurn(sequences, { promptTokens: [1, 6, 8, 2], tokens: [9], logprobs: [-5] });
    assert.equal(sequences.length, 3);
    appendTurn(sequences, { promptTokens: [1, 6, 8, 2], tokens: [3], logprobs: [-5] });
    assert.equal(sequences.length, 4, 'a prompt without the last answer');
    appendTurn(sequences, { promptTokens: [1, 6, 8, 2, 3], tokens: [4], logprobs: [-6] });
    assert.deepEqual(sequences.at(-1), {
      tokens: [1, 6, 8, 2, 3, 4],
      spans: [
        [4, 5],
        [5, 6],
      ],
      logprobs: [-5, -6],
    });
    assert.equal(sampledCount(sequences[0] ?? { spans: [] }), 3);
  });
});
