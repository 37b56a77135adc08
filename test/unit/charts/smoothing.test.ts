import assert from 'node:assert/strict';
import { smoothed, smoothings } from '../../../webview/charts/smoothing/means.ts';

const heights = (values: readonly number[], over: (typeof smoothings)[number]): number[] =>
  smoothed(
    values.map((y, x) => ({ x, y })),
    over,
  ).map(({ y }) => y);

describe('smoothed lines', () => {
  it('are means of as many points on both sides, fewer near the ends', () => {
    assert.deepEqual(heights([0, 10, 20, 0, 10, 100, 4], 5), [0, 10, 8, 28, 134 / 5, 38, 4]);
  });

  it('keep what is measured at their ends, what is straight, and where each point is', () => {
    const line = Array.from({ length: 40 }, (_, i) => 3 * i + 1);
    for (const over of smoothings) {
      for (const [i, y] of heights(line, over).entries()) assert.ok(Math.abs(y - (line[i] ?? 0)) < 1e-9);
      const jumps = line.map((y, i) => y + (i % 2) * 50);
      assert.deepEqual([heights(jumps, over)[0], heights(jumps, over).at(-1)], [jumps[0], jumps.at(-1)]);
    }
    assert.deepEqual(smoothed([{ x: 7, y: 1, name: 'kept' }], 15), [{ x: 7, y: 1, name: 'kept' }]);
    assert.deepEqual(smoothed([], 5), []);
  });
});
