import assert from 'node:assert/strict';
import { KernelBench } from '../../../support/embedded/kernels.ts';

/** Worked vectors of the Tinker protocol's losses: current p, sampling q, advantages A, weights w. */
const p = [-0.5, -1.0, -2.0, -0.25];
const q = [0, -1.2, -1.5, -0.25];
const A = [0, 1, -1, 2];
const w = [0, 1, 1, 0.5];

function evaluate(kind: number, weights: number[], low = 0, high = 0): { loss: number; gradient: number[] } {
  const bench = new KernelBench();
  const g = bench.zeros(4);
  const at = [bench.floats(p), bench.floats(q), bench.floats(weights)] as const;
  const loss = bench.kernels.lossGradient(kind, 4, at[0], at[1], at[2], low, high, g);
  return { loss, gradient: [...bench.get(g, 4)] };
}

function assertNear(actual: number[], expected: number[]): void {
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - (expected[i] ?? NaN)) < 1e-5, `${actual.join(' ')} is not ${expected.join(' ')}`);
  });
}

describe('losses', () => {
  it('cross_entropy is −Σ w·p', () => {
    const { loss, gradient } = evaluate(0, w);
    assertNear([loss], [3.125]);
    assertNear(gradient, [0, -1, -1, -0.5]);
  });

  it('importance_sampling is −Σ r·A', () => {
    const { loss, gradient } = evaluate(1, A);
    assertNear([loss], [-2.614872]);
    assertNear(gradient, [0, -1.221403, 0.606531, -2]);
  });

  it('ppo is −Σ min(r·A, clip(r)·A), flat where it is clipped', () => {
    const { loss, gradient } = evaluate(2, A, 0.8, 1.2);
    assertNear([loss], [-2.4]);
    assertNear(gradient, [0, 0, 0, -2]);
  });

  it('cispo is −Σ stopgrad(clip(r))·p·A', () => {
    const { loss, gradient } = evaluate(3, A, 0.8, 1.2);
    assertNear([loss], [0.1]);
    assertNear(gradient, [0, -1.2, 0.8, -2]);
  });

  it('a token without advantage contributes nothing, whatever its ratio', () => {
    const bench = new KernelBench();
    const g = bench.zeros(1);
    const at = [bench.floats([0]), bench.floats([-2000]), bench.floats([0])] as const;
    assert.equal(bench.kernels.lossGradient(1, 1, at[0], at[1], at[2], 0, 0, g), 0);
    assert.deepEqual([...bench.get(g, 1)], [0]);
  });
});
