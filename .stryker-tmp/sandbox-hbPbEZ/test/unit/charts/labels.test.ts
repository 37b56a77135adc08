import assert from 'node:assert/strict';
import fc from 'fast-check';
import { spreadLabels } from '../../../webview/charts/labels.ts';

describe('spreadLabels', () => {
  it('leaves labels alone that do not collide', () => {
    assert.deepEqual(spreadLabels([10, 50, 90], 14, [0, 100]), [10, 50, 90]);
  });

  it('shares the displacement between two that collide', () => {
    assert.deepEqual(spreadLabels([50, 52], 14, [0, 100]), [44, 58]);
  });

  it('moves colliding labels inside the range', () => {
    assert.deepEqual(spreadLabels([99, 100], 10, [0, 100]), [90, 100]);
    assert.deepEqual(spreadLabels([0, 1], 10, [0, 100]), [0, 10]);
  });

  it('keeps order and distance, and the range where there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { maxLength: 12 }), (wanted) => {
        const placed = spreadLabels(wanted, 14, [0, 200]);
        const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
        for (const [k, i] of order.entries()) {
          assert.ok(placed[i]! >= -1e-9 && placed[i]! <= 200 + 1e-9);
          if (k > 0) assert.ok(placed[i]! - placed[order[k - 1]!]! >= 14 - 1e-9);
        }
      }),
    );
  });
});
