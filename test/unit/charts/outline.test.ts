import assert from 'node:assert/strict';
import fc from 'fast-check';
import { epochsAPlace, outline } from '../../../webview/charts/outline.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

const course = (values: readonly number[]) => values.map((value, i) => ({ epoch: i + 1, value }));
const drawn = (points: readonly { epoch: number; value: number }[]) =>
  outline(
    points,
    ({ epoch }) => epoch,
    ({ value }) => value,
  );
const peaks = (length: number, ...at: readonly number[]) =>
  course(Array.from({ length }, (_, i) => (at.includes(i) ? (i % 2 === 0 ? 50 : -50) : 0.01)));

describe('the outline of a long course', () => {
  it('is the course itself while there is room', () => {
    const points = peaks(600, 99);
    assert.deepEqual(drawn(points), points);
  });

  it('keeps every peak, the first and the last, whatever the length', () => {
    for (const length of [601, 602, 603, 1200, 1201, 3000, 10_000]) {
      const points = drawn(peaks(length, 98, 99, 431));
      assert.ok(points.length <= 602, `${length}: ${points.length}`);
      assert.deepEqual([points[0]?.epoch, points.at(-1)?.epoch], [1, length]);
      assert.deepEqual(
        points.filter(({ value }) => Math.abs(value) === 50).map(({ epoch }) => epoch),
        [99, 100, 432],
        `${length}`,
      );
    }
  });

  it('reaches as low and as high as the course, stretch by stretch, in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 601, maxLength: 1500 }), (values) => {
        const points = course(values);
        const kept = drawn(points);
        const share = epochsAPlace(points.map(({ epoch }) => epoch));
        for (let from = 0; from <= values.length; from += share) {
          const range = (of: typeof points): number[] => {
            const own = of.filter(({ epoch }) => epoch >= from && epoch < from + share).map(({ value }) => value);
            return [Math.min(...own), Math.max(...own)];
          };
          assert.deepEqual(range(kept), range(points));
        }
        for (let i = 1; i < kept.length; i++) {
          assert.ok((kept[i] ?? outOfRange()).epoch > (kept[i - 1] ?? outOfRange()).epoch);
        }
      }),
      { numRuns: 20 },
    );
  });
});
