import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columnWidth, epochScale, epochTicks } from '../../../webview/charts/epochScale.ts';

describe('epochScale', () => {
  it('gives every epoch a column of the same width', () => {
    const x = epochScale([1, 10], [0, 500]);
    assert.equal(columnWidth(x), 50);
    assert.equal(x(1), 25);
    assert.equal(x(10), 475);
  });

  it('labels round epochs, and the first and last', () => {
    assert.deepEqual(epochTicks(epochScale([1, 40], [0, 800])), [1, 5, 10, 15, 20, 25, 30, 35, 40]);
    assert.deepEqual(epochTicks(epochScale([1, 10], [0, 300])), [2, 4, 6, 8, 10]);
    assert.deepEqual(epochTicks(epochScale([3, 3], [0, 300])), [3]);
  });

  it('labels whole epochs within the axis, never so close that they touch', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 2000 }),
        fc.integer({ min: 120, max: 1200 }),
        (first, more, width) => {
          const x = epochScale([first, first + more], [0, width]);
          const ticks = epochTicks(x);
          assert.equal(ticks.at(-1), first + more);
          for (const [i, tick] of ticks.entries()) {
            assert.ok(Number.isInteger(tick) && tick >= first);
            if (i > 0) assert.ok(x(tick) - x(ticks[i - 1]!) >= Math.min(30, 0.6 * 64));
          }
        },
      ),
    );
  });
});
