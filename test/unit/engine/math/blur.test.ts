import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binomial } from '../../../../src/engine/math/binomial.ts';
import { betaBinomial, sumOf } from '../../../../src/engine/math/betaBinomial.ts';
import { blur, worthOf, type BlurSettings, type Measurement } from '../../../../src/engine/math/blur.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const paper: BlurSettings = { alpha: 0.5, beta: 2, kMin: 0.1, filter: 'hard', estimate: 'mean' };

const independent = (attempts: number): Measurement => ({ clusters: 1, attempts, correlation: 0 });

describe('the binomial distribution', () => {
  it('is the textbook one for few attempts', () => {
    const { first, probabilities } = binomial(4, 0.5);
    assert.equal(first, 0);
    for (const [k, exact] of [1, 4, 6, 4, 1].entries()) {
      assert.ok(Math.abs((probabilities[k] ?? outOfRange()) - exact / 16) < 1e-15, `k = ${k}`);
    }
  });

  it('has the mean and the variance that it must, for any n', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.double({ min: 0.001, max: 0.999, noNaN: true }), (n, p) => {
        const { first, probabilities } = binomial(n, p);
        const mean = probabilities.reduce((sum, q, i) => sum + q * (first + i), 0);
        const variance = probabilities.reduce((sum, q, i) => sum + q * (first + i - mean) ** 2, 0);
        assert.ok(Math.abs(mean - n * p) < 1e-6 * (1 + n * p));
        assert.ok(Math.abs(variance - n * p * (1 - p)) < 1e-6 * (1 + n * p * (1 - p)));
      }),
      { numRuns: 60 },
    );
  });

  it('is certain at the ends', () => {
    assert.deepEqual(binomial(5, 0), { first: 0, probabilities: [1] });
    assert.deepEqual(binomial(5, 1), { first: 5, probabilities: [1] });
  });
});

describe('the beta-binomial distribution', () => {
  const moments = (probabilities: readonly number[]): [mean: number, variance: number] => {
    const mean = probabilities.reduce((sum, q, k) => sum + q * k, 0);
    return [mean, probabilities.reduce((sum, q, k) => sum + q * (k - mean) ** 2, 0)];
  };

  it('is the textbook one: uniform for a = b = 1, binomial without correlation, all or nothing with 1', () => {
    for (const q of betaBinomial(4, 0.5, 1 / 3)) assert.ok(Math.abs(q - 0.2) < 1e-15);
    for (const [k, exact] of [1, 4, 6, 4, 1].entries()) {
      assert.ok(Math.abs((betaBinomial(4, 0.5, 0)[k] ?? outOfRange()) - exact / 16) < 1e-15);
    }
    assert.deepEqual(betaBinomial(3, 0.2, 1), [0.8, 0, 0, 0.2]);
    assert.deepEqual(betaBinomial(2, 1, 0.5), [0, 0, 1]);
    assert.deepEqual(betaBinomial(2, 0, 0.5), [1, 0, 0]);
    assert.deepEqual(sumOf(2, [0.5, 0.5]), [0.25, 0.5, 0.25]);
    assert.deepEqual(sumOf(0, [0.5, 0.5]), [1]);
  });

  it('stays finite where its ends are too rare for a double', () => {
    const [many, { first, probabilities }] = [betaBinomial(4000, 0.5, 0), binomial(4000, 0.5)];
    const exact = probabilities[2000 - first] ?? NaN;
    assert.ok(exact > 0.01 && Math.abs((many[2000] ?? NaN) - exact) < 1e-12);
  });

  it('has the variance of the design effect, alone and summed', () => {
    const rate = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), rate, rate, fc.integer({ min: 1, max: 6 }), (n, p, rho, tasks) => {
        const [mean, variance] = moments(sumOf(tasks, betaBinomial(n, p, rho)));
        const exact = tasks * n * p * (1 - p) * (1 + (n - 1) * rho);
        assert.ok(Math.abs(mean - tasks * n * p) < 1e-9 * tasks * n && Math.abs(variance - exact) < 1e-7 * (1 + exact));
      }),
      { numRuns: 100 },
    );
  });
});

describe('the blur that n attempts leave', () => {
  it('keeps the shares of the paper’s filter that the exact sums give', () => {
    // |p̂ − 0.5| ≤ 0.1; p = 0.14, 0.3, 0.4, 0.5.
    const table: readonly [number, readonly [number, number, number, number]][] = [
      [4, [0.087, 0.2646, 0.3456, 0.375]],
      [5, [0.145, 0.441, 0.576, 0.625]],
      [8, [0.0147, 0.1361, 0.2322, 0.2734]],
      [10, [0.0399, 0.3398, 0.563, 0.6562]],
      [16, [0.0038, 0.1682, 0.4145, 0.5455]],
      [32, [0.0002, 0.1324, 0.5298, 0.7847]],
      [64, [0.0, 0.0455, 0.5062, 0.8966]],
    ];
    for (const [n, shares] of table) {
      for (const [i, p] of [0.14, 0.3, 0.4, 0.5].entries()) {
        const { kept } = blur(p, independent(n), paper);
        assert.ok(Math.abs(kept - (shares[i] ?? NaN)) < 5.1e-5, `n = ${n}, p = ${p}: ${kept.toFixed(4)}`);
      }
    }
  });

  it('gives the reward of p itself when attempts abound, and a lower one at the peak when they do not', () => {
    assert.ok(Math.abs(blur(0.3, independent(1_000_000), paper).reward.mean - Math.exp(-2 * 0.04)) < 1e-4);
    const few = blur(0.5, independent(4), paper).reward;
    assert.ok(few.mean < 1 && few.deviation > 0);
  });

  it('keeps everything when the filter is off, and fades when it is soft', () => {
    assert.ok(Math.abs(blur(0.9, independent(8), { ...paper, filter: 'off' }).kept - 1) < 1e-12);
    const [hard, soft] = [
      blur(0.3, independent(32), paper).kept,
      blur(0.3, independent(32), { ...paper, filter: 'soft' }).kept,
    ];
    assert.ok(soft > hard && soft < 1);
  });

  it('follows the posterior mean where that is the estimate', () => {
    const { estimate } = blur(0, independent(8), { ...paper, estimate: 'posterior' });
    assert.ok(Math.abs(estimate.mean - 0.1) < 1e-12);
    assert.equal(estimate.deviation, 0);
  });

  it('is that of tasks that differ: four of eight attempts are worth five, not 32', () => {
    const family: Measurement = { clusters: 4, attempts: 8, correlation: 0.7 };
    assert.ok(Math.abs(worthOf(family) - 32 / 5.9) < 1e-12);
    const { deviation } = blur(0.5, family, paper).estimate;
    assert.ok(Math.abs(deviation - Math.sqrt(0.25 / worthOf(family))) < 1e-12);
    assert.ok(blur(0.5, family, paper).kept < 0.45, 'where independent attempts would have it 0.78');
  });

  it('shrinks with more tasks, hardly with more attempts', () => {
    const spread = (clusters: number, attempts: number): number =>
      blur(0.5, { clusters, attempts, correlation: 0.7 }, paper).estimate.deviation;
    assert.ok(spread(4, 16) > 0.97 * spread(4, 8));
    assert.ok(spread(8, 8) < 0.75 * spread(4, 8));
  });

  it('goes over smoothly into what so many are worth', () => {
    const [exact, near] = [64, 65].map((clusters) => blur(0.4, { clusters, attempts: 8, correlation: 0.7 }, paper));
    assert.ok(exact && near);
    assert.ok(Math.abs(exact.reward.mean - near.reward.mean) < 1e-3);
    assert.ok(Math.abs(exact.estimate.deviation - near.estimate.deviation) < 2e-3);
    assert.ok(Math.abs(near.estimate.mean - 0.4) < 1e-9);
    // Up to 512 attempts sums are exact; of more the worth is rounded to whole attempts.
    const worth = (clusters: number): number => worthOf({ clusters, attempts: 8, correlation: 0.7 });
    assert.ok(Math.abs(exact.estimate.deviation - Math.sqrt(0.24 / worth(64))) < 1e-12);
    assert.ok(Math.abs(near.estimate.deviation - Math.sqrt(0.24 / Math.round(worth(65)))) < 1e-12);
    assert.ok(Math.abs(worth(65) - Math.round(worth(65))) > 0.01);
  });
});
