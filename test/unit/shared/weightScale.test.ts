import assert from 'node:assert/strict';
import { WeightScale } from '../../../src/shared/weightScale.ts';

describe('weights of any size', () => {
  /** Shares of exp(x), and the effective sample size, added one after another. */
  function summed(exponents: readonly number[]) {
    const scale = new WeightScale();
    let [sum, squares] = [0, 0];
    for (const exponent of exponents) {
      const by = scale.shrinks(exponent);
      const weight = scale.of(exponent);
      sum = sum * by + weight;
      squares = squares * by ** 2 + weight ** 2;
    }
    return { size: sum ** 2 / squares, whole: scale.whole(sum) };
  }

  it('are exp(x) itself where that is usual', () => {
    const { whole, size } = summed([0, 1, 3]);
    const plain = [0, 1, 3].map((x) => Math.exp(x));
    const total = plain.reduce((sum, one) => sum + one, 0);
    assert.equal(whole, total);
    assert.equal(size, total ** 2 / plain.reduce((sum, one) => sum + one ** 2, 0));
  });

  it('have a finite sum of squares at any size, in any order', () => {
    for (const exponents of [
      [1000, 1000, 0],
      [0, 1000, 1000],
      [300, 600, 1000, 1000, -2000],
    ]) {
      assert.ok(Math.abs(summed(exponents).size - 2) < 1e-9, exponents.join());
    }
    assert.equal(summed([1000]).whole, Infinity);
    assert.ok(new WeightScale().of(-5000) > 0);
  });
});
