import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jitter } from '../../../webview/charts/jitter.ts';
import { kernelCurve } from '../../../webview/charts/kernel.ts';
import { panelAt, panelLayout } from '../../../webview/charts/panelGeometry.ts';
import { attemptMarks, verdictOf, verdictShapes, verdicts } from '../../../webview/charts/verdict.ts';

describe('verdicts', () => {
  it('holds what lies on the edge of the band inside it', () => {
    const band = { alpha: 0.5, kMin: 0.1 };
    assert.deepEqual(
      [0.3, 0.4, 0.6, 0.7].map((p) => verdictOf(p, band)),
      ['too hard', 'in band', 'in band', 'too easy'],
    );
  });

  it('has a different shape for each', () => {
    assert.equal(new Set(verdicts.map((verdict) => verdictShapes[verdict].character)).size, verdicts.length);
  });

  it('writes attempts by shape', () => assert.equal(attemptMarks('110?0'), '●●○×○'));
});

describe('jitter', () => {
  it('is between −1 and 1, and the same for the same id', () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        const at = jitter(id);
        assert.ok(at >= -1 && at <= 1);
        assert.equal(jitter(id), at);
      }),
    );
  });

  it('spreads neighbouring ids evenly enough', () => {
    const values = Array.from({ length: 400 }, (_, i) => jitter(`12 e12.f${i}`));
    for (const [low, high] of [
      [-1, -0.5],
      [-0.5, 0],
      [0, 0.5],
      [0.5, 1],
    ] as const) {
      const share = values.filter((value) => value >= low && value < high).length / values.length;
      assert.ok(share > 0.15 && share < 0.35, `${share} in ${low}…${high}`);
    }
  });
});

describe('kernelCurve', () => {
  it('is symmetric about α = ½ and has α among its points', () => {
    const curve = kernelCurve({ alpha: 0.5, beta: 2, kMin: 0.1 }, 10);
    assert.deepEqual(
      curve.map(({ reward }) => reward.toFixed(9)),
      curve.map(({ reward }) => reward.toFixed(9)).reverse(),
    );
    assert.ok(
      kernelCurve({ alpha: 0.333, beta: 2, kMin: 0.1 }, 10).some(({ p, reward }) => p === 0.333 && reward === 1),
    );
  });
});

describe('panelLayout', () => {
  it('fills rows evenly and stays inside the width', () => {
    assert.equal(panelLayout(6, 1064, 120).columns, 6);
    assert.equal(panelLayout(6, 900, 120).columns, 3, 'not five and one');
    assert.equal(panelLayout(6, 380, 120).columns, 2);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 160, max: 1400 }), (count, width) => {
        const { frames, height } = panelLayout(count, width, 120);
        assert.equal(frames.length, count);
        for (const { left, right, top, bottom } of frames) {
          assert.ok(left >= 0 && right <= width + 1e-6 && top >= 0 && bottom <= height);
          assert.ok(right - left > 100 && bottom > top);
        }
      }),
    );
  });

  it('finds the panel under a point', () => {
    const { frames } = panelLayout(3, 900, 120);
    const middle = frames.map(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2] as const);
    assert.deepEqual(
      middle.map(([x, y]) => panelAt(frames, x, y)),
      [0, 1, 2],
    );
    assert.equal(panelAt(frames, frames[0]!.right + 14, 60), null);
  });
});
