import assert from 'node:assert/strict';
import { growthOf, type MeasuredEpoch } from '../../../src/shared/report/growth.ts';
import { Rng } from '../../../src/engine/random.ts';

const logit = (p: number): number => Math.log(p / (1 - p));

describe('growth of tasks at the same success', () => {
  /** Difficulty that falls with success and grows with the epoch. */
  const epochs = (growth: number, onSuccess: number, noise = 0, seed = 1): MeasuredEpoch[] => {
    const rng = Rng.from(seed, 'growth');
    return Array.from({ length: 24 }, (_, i) => {
      const successes = 20 + ((i * 37) % 60);
      const p = (successes + 0.5) / 101;
      const value = 4 + growth * i + onSuccess * logit(p) + noise * (rng.next() + rng.next() + rng.next() - 1.5) * 2;
      return { epoch: i, value, successes, attempts: 100 };
    });
  };

  it('is what the epoch adds beside success, without an error where nothing is left over', () => {
    const growth = growthOf(epochs(0.05, -0.8));
    assert.ok(growth !== null && Math.abs(growth.slope - 0.05) < 1e-9 && growth.error < 1e-9);
    assert.equal(growth.freedom, 21);
  });

  it('is the slope alone where success never changes', () => {
    const same = epochs(0.05, 0).map((one) => ({ ...one, successes: 50 }));
    const growth = growthOf(same);
    assert.ok(growth !== null && Math.abs(growth.slope - 0.05) < 1e-9);
    assert.equal(growth.freedom, 22);
  });

  it('misses the truth by more than 1.96 standard errors in about 5 % of noisy runs', () => {
    const runs = Array.from({ length: 1000 }, (_, seed) => growthOf(epochs(0.02, -0.5, 0.6, seed)));
    const missed = runs.filter((one) => one !== null && Math.abs(one.slope - 0.02) > 1.96 * one.error).length;
    assert.ok(missed >= 35 && missed <= 85, String(missed));
  });

  it('is unknown under five epochs with an attempt', () => {
    assert.equal(growthOf(epochs(0.1, 0).slice(0, 4)), null);
    assert.equal(
      growthOf(
        epochs(0.1, 0)
          .slice(0, 6)
          .map((one, i) => (i < 2 ? { ...one, attempts: 0 } : one)),
      ),
      null,
    );
  });
});
