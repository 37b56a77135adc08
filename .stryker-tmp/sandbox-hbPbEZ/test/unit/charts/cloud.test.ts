import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { FamilyColumns } from '../../../src/shared/calibration/familyColumns.ts';
import { CloudIndex } from '../../../webview/charts/cloud/cloudIndex.ts';
import { heatCells } from '../../../webview/charts/cloud/heatPaint.ts';
import { nearestFamily } from '../../../webview/charts/cloud/cloudStop.ts';
import { panned, Plane, wholeView, within, zoomed } from '../../../webview/charts/cloud/cloudView.ts';
import { SvgPen } from '../../../webview/charts/cloud/svgPen.ts';
import { manyFamilies } from '../../support/calibration/manyFamilies.ts';

function indexOf(epochs: number, families: number): CloudIndex {
  const columns = new FamilyColumns();
  for (const event of manyFamilies(epochs, families)) {
    if (event.type === 'families.scored') columns.add(event, { estimate: 'mean', filter: 'hard' });
  }
  const index = new CloudIndex(columns);
  index.sync();
  return index;
}

describe('the cloud', () => {
  const index = indexOf(12, 60);
  const { columns } = index;
  const rateOf = (family: number): number => columns.successes[family]! / columns.attempts[family]!;

  it('holds every measured family once, hardest first within its epoch', () => {
    assert.equal(index.count, 720);
    assert.equal(new Set(index.family.slice(0, index.count)).size, 720);
    for (const { epoch, from, to } of index.stretches) {
      const scored = columns.epoch(epoch)!;
      for (let place = from; place < to; place++) {
        const family = index.family[place]!;
        assert.ok(family >= scored.from && family < scored.to);
        if (place > from) assert.ok(rateOf(index.family[place - 1]!) <= rateOf(family));
      }
    }
  });

  it('leaves out families that were never judged', () => {
    const columns = new FamilyColumns();
    for (const event of manyFamilies(1, 5)) {
      if (event.type !== 'families.scored') continue;
      const [first, ...others] = event.families;
      const untried = { ...first!, successRate: { successes: 0, attempts: 0, p: null, low: 0, high: 1 } };
      columns.add({ ...event, families: [untried, ...others] }, { estimate: 'mean', filter: 'hard' });
    }
    const few = new CloudIndex(columns);
    few.sync();
    assert.equal(few.count, 4);
  });

  it('counts a selection as counting one by one does, its ends included', () => {
    const rate = fc.integer({ min: 0, max: 16 }).map((k) => k / 16);
    const epoch = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(epoch, epoch, rate, rate, (a, b, p, q) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        const [low, high] = [Math.min(p, q), Math.max(p, q)];
        let families = 0;
        let kept = 0;
        for (const scored of columns.epochs) {
          if (scored.epoch < first || scored.epoch > last) continue;
          for (let family = scored.from; family < scored.to; family++) {
            if (rateOf(family) < low || rateOf(family) > high) continue;
            families += 1;
            if (columns.kept[family]! > 0) kept += 1;
          }
        }
        const counted = index.countIn([first, last], [low, high]);
        assert.deepEqual([counted.families, counted.kept], [families, kept]);
      }),
    );
  });

  it('finds the family under a pointer as looking at each does', () => {
    const plane = new Plane(wholeView(1, 12, 12), { left: 40, right: 640, top: 20, bottom: 320 });
    const places = index.stretches.flatMap(({ epoch, from, to }) =>
      Array.from({ length: to - from }, (_, rank) => ({
        place: from + rank,
        x: plane.familyX(epoch, rank, to - from),
        y: plane.y(index.rate[from + rank]!),
      })),
    );
    fc.assert(
      fc.property(
        fc.double({ min: 40, max: 640, noNaN: true }),
        fc.double({ min: 20, max: 320, noNaN: true }),
        (x, y) => {
          const away = (at: { x: number; y: number }): number => Math.hypot(at.x - x, at.y - y);
          const nearest = places.reduce((a, b) => (away(b) < away(a) ? b : a));
          const found = nearestFamily(index, plane, x, y);
          if (found === null) assert.ok(away(nearest) > 9);
          else assert.ok(Math.abs(away(places[found.place!]!) - away(nearest)) < 1e-9);
        },
      ),
    );
  });
});

describe('very many families', () => {
  const index = indexOf(40, 500);
  const box = { left: 40, right: 640, top: 20, bottom: 320 };

  it('are counted in cells, each family once', () => {
    for (const right of [90, 640, 4000]) {
      const plane = new Plane(wholeView(1, 40, 40), { ...box, right });
      const cells = heatCells(index, plane, [0, 40]);
      assert.equal(
        cells.reduce((sum, { families }) => sum + families, 0),
        20_000,
      );
      assert.equal(
        cells.reduce((sum, { kept }) => sum + kept, 0),
        index.keptBetween(0, index.count),
      );
      assert.ok(cells.every(({ width, height }) => width >= 2.5 && height >= 3));
    }
  });

  it('have one row for each value of p̂ where there is room, else fewer', () => {
    const rows = (bottom: number): number => {
      const cells = heatCells(index, new Plane(wholeView(1, 40, 40), { ...box, bottom }), [0, 40]);
      return new Set(cells.map(({ y }) => y.toFixed(2))).size;
    };
    assert.equal(rows(320), 17, '16 attempts have 17 success rates');
    assert.ok(rows(60) <= 11);
  });
});

describe('what is in sight of the cloud', () => {
  const whole = wholeView(1, 40, 100);

  it('leaves a young run room for epochs to come, but never more than it has', () => {
    assert.deepEqual(wholeView(1, 2, 100).x, [0.5, 10.5]);
    assert.deepEqual(wholeView(1, 2, 3).x, [0.5, 3.5]);
    assert.deepEqual(whole.x, [0.5, 40.5]);
  });

  it('keeps the point under the pointer where it is while zooming in', () => {
    const view = zoomed(whole, whole, { x: 0.5, y: 0.5 }, { x: 12, y: 0.4 });
    const share = (at: number, [from, to]: readonly [number, number]): number => (at - from) / (to - from);
    assert.ok(Math.abs(share(12, view.x) - share(12, whole.x)) < 1e-9);
    assert.ok(Math.abs(share(0.4, view.y) - share(0.4, whole.y)) < 1e-9);
  });

  it('never leaves the whole, however it is moved', () => {
    const step = fc.record({
      factor: fc.double({ min: 0.01, max: 50, noNaN: true }),
      at: fc.double({ min: 0, max: 41, noNaN: true }),
      dx: fc.double({ min: -200, max: 200, noNaN: true }),
      dy: fc.double({ min: -3, max: 3, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let view = whole;
        for (const { factor, at, dx, dy } of steps) {
          view = zoomed(view, whole, { x: factor, y: factor }, { x: at, y: 0.5 });
          view = panned(view, whole, dx, dy);
          for (const axis of ['x', 'y'] as const) {
            assert.ok(view[axis][0] >= whole[axis][0] - 1e-9 && view[axis][1] <= whole[axis][1] + 1e-9);
            assert.ok(view[axis][1] - view[axis][0] > 0.01);
          }
        }
      }),
    );
  });

  it('takes a kept view that no longer fits back inside', () => {
    const view = within({ x: [-20, 400], y: [-1, 3] }, whole);
    assert.deepEqual(view, whole);
  });

  it('turns pixels into epochs and rates and back', () => {
    const plane = new Plane(whole, { left: 40, right: 640, top: 20, bottom: 320 });
    assert.ok(Math.abs(plane.epochAt(plane.x(17)) - 17) < 1e-9);
    assert.ok(Math.abs(plane.rateAt(plane.y(0.3)) - 0.3) < 1e-9);
  });
});

describe('a drawing as a file', () => {
  it('escapes text, sets indices lower and keeps what follows on the line', () => {
    const pen = new SvgPen('"Fira Sans", sans-serif');
    pen.text(1, 2, 'a < b & k_min = 0.1', { colour: 'black', size: 11 });
    assert.match(pen.content, /font-family="&quot;Fira Sans&quot;, sans-serif"/);
    assert.match(
      pen.content,
      /<tspan>a &lt; b &amp; k<\/tspan><tspan dy="3" font-size="0.78em">min<\/tspan><tspan dy="-3"> = 0.1/,
    );
  });

  it('draws many dots in one path', () => {
    const pen = new SvgPen('sans-serif');
    pen.dots([1, 2, 3.04, 4], 2, { colour: 'red' });
    assert.equal(pen.content.match(/<path/g)?.length, 1);
    assert.match(pen.content, /M1 2h0M3 4h0/);
  });
});
