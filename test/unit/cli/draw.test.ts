import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bar } from '../../../src/cli/draw/bar.ts';
import { intervalStrip } from '../../../src/cli/draw/intervalStrip.ts';
import { sparkline } from '../../../src/cli/draw/sparkline.ts';
import { displayWidth } from '../../../src/cli/text/displayWidth.ts';
import { successRate } from '../../../src/engine/math/successRate.ts';

describe('drawings in a line', () => {
  it('a bar fills in half cells and is never too long', () => {
    assert.equal(String(bar(0, 4)), '────');
    assert.equal(String(bar(0.5, 4)), '━━──');
    assert.equal(String(bar(0.625, 4)), '━━╸─');
    assert.equal(String(bar(1, 4)), '━━━━');
    assert.equal(String(bar(7, 4)), '━━━━');
    fc.assert(
      fc.property(fc.double({ min: -1, max: 2, noNaN: true }), fc.nat(80), (share, width) => {
        assert.equal(displayWidth(bar(share, width)), width);
      }),
    );
  });

  it('a sparkline keeps its scale, its gaps and its width', () => {
    const unit = { low: 0, high: 1 };
    assert.equal(sparkline([0, 0.5, 1], 10, unit), '▁▅█');
    assert.equal(sparkline([0, null, 1], 10, unit), '▁·█');
    assert.equal(sparkline([0, 0, 1, 1], 2, unit), '▁█');
    assert.equal(sparkline([null, null, 1, 0], 2, unit), '·▅');
    assert.equal(sparkline([3, 3], 5, { low: 3, high: 3 }), '▅▅');
    assert.equal(sparkline([], 5, unit), '');
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true })), fc.integer({ min: 1, max: 60 }), (values, width) => {
        assert.ok(displayWidth(sparkline(values, width, unit)) <= width);
      }),
    );
  });

  it('an interval stands against its band', () => {
    const band = { alpha: 0.5, kMin: 0.1 };
    assert.equal(String(intervalStrip(successRate(235, 500), band, 20)), '│········━●━─········│');
    assert.equal(String(intervalStrip(successRate(1, 10), band, 20)), '│━━●━━━━━━───········│');
    assert.equal(String(intervalStrip(successRate(0, 0), band, 20)), '│········────········│');
    assert.equal(String(intervalStrip(null, band, 20)), '│········────········│');
    assert.equal(String(intervalStrip(successRate(9, 9), band, 20)), '│········────··━━━━━●│');
  });

  it('an interval never leaves its line', () => {
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.nat(50),
        fc.integer({ min: 3, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (k, more, width, alpha, kMin) => {
          const drawn = intervalStrip(successRate(k, k + more), { alpha, kMin }, width);
          assert.equal(displayWidth(drawn), width + 2);
          assert.equal(String(drawn).includes('●'), k + more > 0);
        },
      ),
    );
  });
});
