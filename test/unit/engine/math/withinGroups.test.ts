import assert from 'node:assert/strict';
import { WithinGroups } from '../../../../src/engine/math/withinGroups.ts';

const close = (actual: number | null, expected: number): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

const within = (...groups: (readonly [readonly number[], readonly number[]])[]): WithinGroups => {
  const all = new WithinGroups();
  for (const [x, y] of groups) all.add(x, y);
  return all;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('rank correlation within groups, worked by hand', () => {
  // Ranks about their middle: −1 0 1 and 0 −1 1; −1.5 −0.5 0.5 1.5 and 1.5 −0.5 0.5 −1.5.
  const three = [
    [10, 20, 30],
    [5, 1, 9],
  ] as const;
  const four = [
    [1, 2, 3, 4],
    [4, 2, 3, 1],
  ] as const;

  it('adds up covariances and squares of centred ranks', () => {
    const all = new WithinGroups();
    assert.equal(all.add(...three), 1);
    assert.equal(all.add(...four), -4);
    const { rho, z, groups, attempts } = all.result;
    close(rho, -3 / 7);
    // Variances under permutation: 2·2/2 and 5·5/3.
    close(z, -3 / Math.sqrt(2 + 25 / 3));
    assert.deepEqual([groups, attempts], [2, 7]);
  });

  it('has an interval by linearisation over groups', () => {
    const { rho, low, high } = within(three, four, three, three).result;
    const [s, xx] = [
      [1, -4, 1, 1],
      [2, 5, 2, 2],
    ];
    const [scale, middle] = [sum(xx), sum(s) / sum(xx)];
    close(rho, middle);
    const parts = s.map((own, g) => (own - middle * (xx[g] ?? NaN)) / scale);
    const half = 1.959963984540054 * Math.sqrt(sum(parts.map((part) => part ** 2)));
    assert.ok(half < 1 - Math.abs(middle), 'it is not cut');
    close(low, middle - half);
    close(high, middle + half);
  });

  it('has other squares of x than of y where one has ties', () => {
    // Mid-ranks 1.5 1.5 3 4 of x, 1 2 3 4 of y.
    const [x, y] = [
      [7, 7, 8, 9],
      [1, 2, 3, 4],
    ];
    const { rho, low, high, z } = within([x, y], [x, y], [x, y], four).result;
    const [s, xx, yy] = [
      [4.5, 4.5, 4.5, -4],
      [4.5, 4.5, 4.5, 5],
      [5, 5, 5, 5],
    ];
    const scale = Math.sqrt(sum(xx) * sum(yy));
    const middle = sum(s) / scale;
    close(rho, middle);
    close(z, sum(s) / Math.sqrt(4.5 * 5 + 25 / 3));
    const [a, b] = [(middle / 2) * Math.sqrt(sum(yy) / sum(xx)), (middle / 2) * Math.sqrt(sum(xx) / sum(yy))];
    const parts = s.map((own, g) => (own - a * (xx[g] ?? NaN) - b * (yy[g] ?? NaN)) / scale);
    const half = 1.959963984540054 * Math.sqrt(sum(parts.map((part) => part ** 2)));
    assert.ok(middle - half > -1, 'it is not cut below');
    close(low, middle - half);
    close(high, Math.min(1, middle + half));
  });

  it('is cut at −1 and 1', () => {
    const { low, high } = within(four, [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]).result;
    assert.deepEqual([low, high], [-1, 1]);
    const sure = within(four, four, three).result;
    assert.equal(sure.low, -1);
    assert.ok(sure.high < 0);
  });

  it('learns nothing from a group in which one of both is constant', () => {
    const all = new WithinGroups();
    assert.equal(all.add([1, 1, 1], [1, 2, 3]), 0);
    assert.equal(all.add([1, 2, 3], [4, 4, 4]), 0);
    assert.equal(all.add([], []), 0);
    assert.deepEqual(all.result, { rho: null, low: -1, high: 1, z: 0, groups: 0, attempts: 0 });
    all.add(...three);
    assert.deepEqual([all.result.groups, all.result.attempts], [1, 3]);
  });

  it('gives equal values the mean of their ranks, wherever they stand', () => {
    // 2 2 2 are ranks 1 to 3, 5 5 are 4 and 5.
    const all = new WithinGroups();
    assert.equal(all.add([5, 2, 2, 5, 2], [5, 1, 2, 4, 3]), 1.5 * 2 + 1 * 2 + 1 * 1 + 1.5 * 1 + 0);
  });
});
