import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binomial } from '../../../src/engine/math/binomial.ts';
import { blur, type BlurSettings } from '../../../src/engine/math/blur.ts';

const paper: BlurSettings = { alpha: 0.5, beta: 2, kMin: 0.1, filter: 'hard', estimate: 'mean' };

describe('the binomial distribution', () => {
  it('is the textbook one for few attempts', () => {
    const { first, probabilities } = binomial(4, 0.5);
    assert.equal(first, 0);
    for (const [k, exact] of [1, 4, 6, 4, 1].entries()) {
      assert.ok(Math.abs((probabilities[k] ?? 0) - exact / 16) < 1e-15, `k = ${k}`);
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
        const { kept } = blur(p, n, paper);
        assert.ok(Math.abs(kept - (shares[i] ?? NaN)) < 5.1e-5, `n = ${n}, p = ${p}: ${kept.toFixed(4)}`);
      }
    }
  });

  it('gives the reward of p itself when attempts abound, and a lower one at the peak when they do not', () => {
    assert.ok(Math.abs(blur(0.3, 1_000_000, paper).reward.mean - Math.exp(-2 * 0.04)) < 1e-4);
    const few = blur(0.5, 4, paper).reward;
    assert.ok(few.mean < 1 && few.deviation > 0);
  });

  it('keeps everything when the filter is off, and fades when it is soft', () => {
    assert.ok(Math.abs(blur(0.9, 8, { ...paper, filter: 'off' }).kept - 1) < 1e-12);
    const [hard, soft] = [blur(0.3, 32, paper).kept, blur(0.3, 32, { ...paper, filter: 'soft' }).kept];
    assert.ok(soft > hard && soft < 1);
  });

  it('follows the posterior mean where that is the estimate', () => {
    const { estimate } = blur(0, 8, { ...paper, estimate: 'posterior' });
    assert.ok(Math.abs(estimate.mean - 0.1) < 1e-12);
    assert.equal(estimate.deviation, 0);
  });
});
