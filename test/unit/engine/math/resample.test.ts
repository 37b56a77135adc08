import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { resample } from '../../../../src/engine/math/resample.ts';
import { Rng } from '../../../../src/engine/random.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e3, noNaN: true })), {
  minLength: 1,
  maxLength: 12,
});
const itemsOf = (some: readonly number[]): { i: number; weight: number }[] => some.map((weight, i) => ({ i, weight }));

describe('resampling', () => {
  it('draws every item as often as its share says, rounded up or down', () => {
    fc.assert(
      fc.property(weights, fc.nat(200), fc.nat(), (some, count, seed) => {
        const total = some.reduce((sum, weight) => sum + weight, 0);
        const drawn = resample(itemsOf(some), count, Rng.from(seed));
        assert.equal(drawn.length, total > 0 ? count : 0);
        for (const [i, weight] of some.entries()) {
          const times = drawn.filter((item) => item.i === i).length;
          const expected = total > 0 ? (count * weight) / total : 0;
          assert.ok(Math.abs(times - expected) < 1 + 1e-6, `${times} draws where ${expected} are expected`);
          if (weight === 0) assert.equal(times, 0);
        }
      }),
    );
  });

  it('draws by one number, whatever rounding makes of the sums', () => {
    const drawn = (some: readonly number[], count: number, offset: number): number[] =>
      resample(itemsOf(some), count, { next: () => offset }).map(({ i }) => i);
    assert.deepEqual(drawn([1, 1], 2, 0), [0, 1]);
    assert.deepEqual(drawn([1, 3], 4, 0.5), [0, 1, 1, 1]);
    // Shares that sum to a little more than 1, and to a little less.
    assert.deepEqual(drawn([0.4, 0.3, 0], 5, 0), [0, 0, 0, 1, 1]);
    assert.deepEqual(drawn([0.7, 0.4, 0], 1, 1 - 2 ** -53), [1]);
    assert.deepEqual(drawn([0, 0], 3, 0), []);
  });

  it('expects counts in proportion to the weights', () => {
    const items = itemsOf([0.5, 0.25, 0.2, 0.05]);
    const times = [0, 0, 0, 0];
    const trials = 20_000;
    for (let trial = 0; trial < trials; trial++)
      for (const { i } of resample(items, 3, Rng.from('trial', trial))) times[i] = (times[i] ?? outOfRange()) + 1;
    for (const { i, weight } of items) {
      const mean = (times[i] ?? outOfRange()) / trials;
      // A count is one of two neighbours: its variance is at most 1/4. Six standard errors.
      assert.ok(Math.abs(mean - 3 * weight) < (6 * 0.5) / Math.sqrt(trials), `item ${i}: ${mean}`);
    }
  });
});
