import assert from 'node:assert/strict';
import fc from 'fast-check';
import { familyGeometry } from '../../../webview/charts/families/familyGeometry.ts';
import { verdictOf } from '../../../webview/charts/verdict.ts';
import { familyPoint } from '../../support/report/familyPoint.ts';

const frame = { left: 40, right: 840, top: 50, bottom: 300, weightHeight: 44 };
const curriculum = { alpha: 0.5, beta: 10, lambda: 1, kMin: 0.25 };

describe('familyGeometry', () => {
  it('places every family once, hardest first, inside the plot and its group', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 32 }), { minLength: 1, maxLength: 80 }), (successes) => {
        const points = successes.map((n, i) => familyPoint({ successes: n, id: `f${i}` }));
        const { families, groups } = familyGeometry(points, curriculum, frame);
        assert.equal(families.length, points.length);
        assert.equal(
          groups.reduce((sum, { count }) => sum + count, 0),
          points.length,
        );
        for (const [i, at] of families.entries()) {
          if (i > 0) {
            assert.ok(at.family.p >= families[i - 1]!.family.p);
            assert.ok(at.x > families[i - 1]!.x);
          }
          assert.ok(at.x > frame.left && at.x < frame.right + 1e-6);
          const group = groups.find(({ verdict }) => verdict === at.verdict)!;
          assert.ok(at.x > group.from && at.x < group.to);
          assert.equal(at.verdict, verdictOf(at.family.p, curriculum));
          assert.ok(at.high <= at.y && at.y <= at.low, 'the interval holds p̂');
        }
      }),
    );
  });

  it('has groups only for verdicts that occur, in order', () => {
    const points = [familyPoint({ successes: 0 }), familyPoint({ successes: 32 })];
    const { groups } = familyGeometry(points, curriculum, frame);
    assert.deepEqual(
      groups.map(({ verdict, count }) => [verdict, count]),
      [
        ['too hard', 1],
        ['too easy', 1],
      ],
    );
  });

  it('draws weights against the largest, and none when no family was kept', () => {
    const points = [0.1, 0.4, 0].map((weight, i) => familyPoint({ weight, id: `f${i}`, successes: 15 + i }));
    const { families, largestWeight } = familyGeometry(points, curriculum, frame);
    assert.equal(largestWeight, 0.4);
    assert.deepEqual(
      families.map(({ weight }) => weight),
      [11, 44, 0],
    );
    const none = familyGeometry([familyPoint({ weight: 0 })], curriculum, frame);
    assert.deepEqual([none.largestWeight, none.families[0]!.weight], [0, 0]);
  });

  it('has nothing to place without families', () => {
    const { families, groups } = familyGeometry([], curriculum, frame);
    assert.deepEqual([families, groups], [[], []]);
  });
});
