import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stackGeometry } from '../../../webview/charts/stackGeometry.ts';

const frame = { left: 44, right: 444, top: 30, bottom: 230 };

describe('stackGeometry', () => {
  it('stacks segments without gaps from the base, as high as their sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        (drawn, normalise) => {
          const rows = drawn.map((values, i) => ({ epoch: i + 1, values }));
          const { segments, y } = stackGeometry(rows, 3, [1, rows.length], frame, normalise);
          for (const { epoch, values } of rows) {
            const total = values.reduce((sum, value) => sum + value, 0);
            const own = segments.filter((segment) => segment.epoch === epoch);
            assert.equal(own.length, total === 0 ? 0 : values.filter((value) => value > 0).length);
            let base = frame.bottom;
            for (const { y: top, height } of own) {
              assert.ok(Math.abs(top + height - base) < 1e-6);
              base = top;
            }
            if (total > 0) assert.ok(Math.abs(base - y(normalise ? 1 : total)) < 1e-6);
          }
        },
      ),
    );
  });

  it('fills the plot when bars are normalised', () => {
    const { segments } = stackGeometry([{ epoch: 1, values: [1, 3] }], 2, [1, 1], frame, true);
    assert.deepEqual(
      segments.map(({ height }) => height),
      [50, 150],
    );
  });

  it('names layers at the last bar that has any value, apart from each other', () => {
    const rows = [
      { epoch: 1, values: [10, 10, 10] },
      { epoch: 2, values: [0, 0, 0] },
    ];
    const { anchors, labels, y } = stackGeometry(rows, 3, [1, 2], frame, false);
    assert.deepEqual(anchors, [y(5), y(15), y(25)]);
    for (let i = 1; i < labels.length; i++) assert.ok(labels[i - 1]! - labels[i]! >= 15 - 1e-9);
  });

  it('keeps the order of the stack for layers that the last bar lacks', () => {
    const { labels } = stackGeometry([{ epoch: 1, values: [5, 0, 0, 0] }], 4, [1, 1], frame, false);
    assert.deepEqual(
      labels,
      labels.toSorted((a, b) => b - a),
    );
  });

  it('leaves no gap between bars of very many epochs', () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({ epoch: i + 1, values: [1] }));
    const { segments } = stackGeometry(rows, 1, [1, 400], frame, false);
    assert.ok(segments[0]!.x + segments[0]!.width >= segments[1]!.x);
  });

  it('draws the mean of epochs that share a place, as wide as they are', () => {
    const rows = Array.from({ length: 1200 }, (_, i) => ({ epoch: i + 1, values: [i === 99 ? 400 : 0, 10] }));
    const { segments } = stackGeometry(rows, 2, [1, 1200], frame, false);
    const peak = segments.filter(({ layer }) => layer === 0);
    assert.deepEqual(
      peak.map(({ value, epoch }) => [value, epoch]),
      [[100, 101.5]],
    );
    const bars = segments.filter(({ layer }) => layer === 1);
    assert.ok(bars.length <= 301 && bars.every(({ value }) => value === 10));
    for (let i = 1; i < bars.length; i++) assert.ok(bars[i - 1]!.x + bars[i - 1]!.width >= bars[i]!.x - 1e-9);
  });
});
