import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Curriculum, FamilyPoint } from '../../../src/shared/report/data.ts';
import { bandGeometry, type CalibrationEpoch } from '../../../webview/charts/bandGeometry.ts';
import { familyPoint } from '../../support/report/familyPoint.ts';

const frame = { left: 40, right: 640, top: 30, bottom: 430, kernel: [700, 800] } as const;
const curriculum: Curriculum = { alpha: 0.5, beta: 10, lambda: 1, kMin: 0.25 };

function epochs(count: number, change?: (epoch: number) => Partial<Curriculum>): CalibrationEpoch[] {
  return Array.from({ length: count }, (_, i) => ({
    epoch: i + 1,
    curriculum: { ...curriculum, ...change?.(i + 1) },
    mean: { p: 0.4, low: 0.35, high: 0.45 },
  }));
}

describe('bandGeometry', () => {
  it('keeps every dot in its epoch’s column and at the height of its p̂', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 32 })), { minLength: 1 }),
        (drawn) => {
          const families = drawn.map(([epoch, successes], i) => familyPoint({ epoch, successes, id: `f${i}` }));
          const { dots, x, y } = bandGeometry(epochs(12), families, frame);
          assert.equal(dots.length, families.length);
          for (const dot of dots) {
            assert.ok(dot.x > x(dot.family.epoch - 0.5) && dot.x < x(dot.family.epoch + 0.5));
            assert.equal(dot.y, y(dot.family.p));
          }
        },
      ),
    );
  });

  it('puts p̂ = 1 at the top and p̂ = 0 at the bottom of the plot', () => {
    const { y } = bandGeometry(epochs(3), [], frame);
    assert.deepEqual([y(1), y(0)], [frame.top, frame.bottom]);
  });

  it('spreads the dots of one epoch, the same way every time', () => {
    const families = Array.from({ length: 30 }, (_, i) => familyPoint({ epoch: 2, successes: 16, id: `e2.f${i}` }));
    const once = bandGeometry(epochs(3), families, frame).dots.map(({ x }) => x);
    assert.deepEqual(
      bandGeometry(epochs(3), families, frame).dots.map(({ x }) => x),
      once,
    );
    assert.ok(new Set(once.map((x) => Math.round(x))).size > 20);
  });

  it('tells kept families from left-out ones', () => {
    const families: FamilyPoint[] = [familyPoint({ kept: 1 }), familyPoint({ kept: 0.2 }), familyPoint({ kept: 0 })];
    const { dots } = bandGeometry(epochs(1), families, frame);
    assert.deepEqual(
      dots.map(({ kept }) => kept),
      [true, true, false],
    );
  });

  it('leaves out families of epochs that are not drawn', () => {
    const { dots } = bandGeometry(epochs(2), [familyPoint({ epoch: 9 })], frame);
    assert.equal(dots.length, 0);
  });

  it('draws one band while α and k_min stay, another from the epoch in which they change', () => {
    assert.equal(bandGeometry(epochs(8), [], frame).bands.length, 1);
    const { bands, x, y } = bandGeometry(
      epochs(8, (epoch) => (epoch >= 5 ? { kMin: 0.1 } : {})),
      [],
      frame,
    );
    assert.equal(bands.length, 2);
    assert.deepEqual([bands[0]!.from, bands[0]!.to, bands[1]!.from, bands[1]!.to], [x(0.5), x(4.5), x(4.5), x(8.5)]);
    assert.deepEqual([bands[1]!.top, bands[1]!.bottom], [y(0.6), y(0.4)]);
  });

  it('keeps a band that reaches past 0 or 1 inside the plot', () => {
    const { bands } = bandGeometry(
      epochs(2, () => ({ alpha: 0.9 })),
      [],
      frame,
    );
    assert.equal(bands[0]!.top, frame.top);
  });

  it('draws the reward against the same axis, with its peak of 1 at α', () => {
    const { kernels, y } = bandGeometry(
      epochs(2, () => ({ alpha: 0.37 })),
      [],
      frame,
    );
    const [kernel = []] = kernels;
    const peak = kernel.reduce((a, b) => (b.reward > a.reward ? b : a));
    assert.deepEqual([peak.reward, peak.x, peak.y], [1, frame.kernel[1], y(0.37)]);
    const half = kernel.find(({ p }) => p === 0.87)!;
    assert.ok(Math.abs(half.reward - Math.exp(-10 * 0.25)) < 1e-12);
  });

  it('keeps the former reward before the one in force', () => {
    const { kernels } = bandGeometry(
      epochs(6, (epoch) => ({ beta: epoch < 4 ? 10 : 40 })),
      [],
      frame,
    );
    const at = kernels.map((kernel) => kernel.find(({ p }) => p === 0.4)!.reward);
    assert.deepEqual(
      at.map((reward) => reward.toFixed(3)),
      [Math.exp(-0.1).toFixed(3), Math.exp(-0.4).toFixed(3)],
    );
  });

  it('skips epochs that were not measured in the line of means', () => {
    const some = epochs(4).map((epoch) => (epoch.epoch === 3 ? { ...epoch, mean: null } : epoch));
    assert.deepEqual(
      bandGeometry(some, [], frame).mean.map(({ epoch }) => epoch),
      [1, 2, 4],
    );
  });
});
