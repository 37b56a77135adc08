import assert from 'node:assert/strict';
import { seriesGeometry, zeroBased } from '../../../webview/charts/seriesGeometry.ts';

const frame = { left: 44, right: 444, top: 30, bottom: 230 };

describe('seriesGeometry', () => {
  it('starts every axis at 0 and ends it above intervals and references', () => {
    const points = [{ epoch: 1, value: 0.3, low: 0.25, high: 0.41 }];
    const { y } = seriesGeometry([{ label: 'agent', points }], [{ label: 'cap', value: 0.55 }], [0, 4], frame);
    const [low = NaN, high = NaN] = y.domain();
    assert.equal(low, 0);
    assert.ok(high >= 0.55);
    assert.deepEqual([y(0), y(high)], [frame.bottom, frame.top]);
  });

  it('has a range even where every value is 0, and goes below 0 for negative ones', () => {
    assert.deepEqual(zeroBased([0, 0]), [0, 1]);
    assert.deepEqual(zeroBased([]), [0, 1]);
    assert.deepEqual(zeroBased([-0.2, 0.3]), [-0.2, 0.3]);
    assert.deepEqual(zeroBased([-0.0007, 0.2]), [0, 0.2], 'not for noise around 0');
  });

  it('labels each line at its end, apart from each other and from references', () => {
    const line = (label: string, value: number) => ({ label, points: [{ epoch: 2, value }] });
    const { series, references } = seriesGeometry(
      [line('a', 0.5), line('b', 0.51), { label: 'empty', points: [] }],
      [{ label: 'cap', value: 0.52 }],
      [1, 2],
      frame,
    );
    const labels = [series[0]!.labelY!, series[1]!.labelY!, references[0]!.labelY].sort((a, b) => a - b);
    assert.ok(labels[1]! - labels[0]! >= 14 && labels[2]! - labels[1]! >= 14);
    assert.equal(series[2]!.labelY, null);
  });

  it('keeps intervals with their points', () => {
    const points = [
      { epoch: 0, value: 0.3, low: 0.2, high: 0.4 },
      { epoch: 4, value: 0.5 },
    ];
    const { series, x, y } = seriesGeometry([{ label: 'agent', points }], [], [0, 4], frame);
    const [first, second] = series[0]!.points;
    assert.deepEqual([first!.x, first!.low, first!.high], [x(0), y(0.2), y(0.4)]);
    assert.deepEqual([second!.low, second!.high], [null, null]);
  });
});
