import assert from 'node:assert/strict';
import { Rng } from '../../../src/engine/random.ts';
import { textWidth } from '../../../webview/charts/labels.ts';
import type { PhasePoint } from '../../../webview/charts/phase/phaseCourse.ts';
import { phaseGeometry, phaseLabel, type PhaseGeometry } from '../../../webview/charts/phase/phaseGeometry.ts';
import {
  crosses,
  numberPlaces,
  type Box,
  type Place,
  type Stretch,
} from '../../../webview/charts/phase/phaseLabels.ts';

const point = (epoch: number, difficulty: number, p: number): PhasePoint => ({
  ...{ epoch, difficulty, p, low: p, high: p, successes: 50, attempts: 100 },
  versions: { agent: 'agent@0', environment: 'environment@0' },
});

/** A run that strays: its path comes near itself again and again. */
function straying(epochs: number, seed: number): PhasePoint[] {
  const rng = Rng.from(seed, 'phase-labels');
  let [difficulty, p] = [3, 0.3];
  return Array.from({ length: epochs }, (_, i) => {
    difficulty += 0.4 * (rng.next() - 0.45);
    p = Math.min(0.97, Math.max(0.03, p + 0.25 * (rng.next() - 0.48)));
    return point(i + 1, difficulty, p);
  });
}

/** As the chart lays it out on a page of this width. */
function frameAt(page: number): Box {
  const width = page - 40;
  const height = Math.round(Math.min(420, Math.max(280, width * 0.6)));
  return { left: 44, right: width - 16, top: 30, bottom: height - 46 };
}

const boxOf = ({ x, y }: Place, width: number): Box => ({
  ...{ left: x - width / 2, right: x + width / 2, top: y - 7, bottom: y + 7 },
});

function labelled(geometry: PhaseGeometry): { kind: string; box: Box }[] {
  return geometry.marks.flatMap(({ label, ...mark }) =>
    label === null ? [] : [{ kind: mark.kind, box: boxOf(label, textWidth(phaseLabel(mark))) }],
  );
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** By points close together on the line: another way than the layout's own. */
const liesOnLine = (box: Box, path: readonly Place[]): boolean =>
  path.slice(1).some((to, i) => {
    const from = path[i] ?? to;
    return Array.from({ length: 201 }, (_, k) => k / 200).some((share) => {
      const [x, y] = [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)];
      return x > box.left && x < box.right && y > box.top && y < box.bottom;
    });
  });

/** First and last are there, and no text lies on another or outside. */
function assertLegible(geometry: PhaseGeometry, frame: Box): void {
  const labels = labelled(geometry);
  assert.deepEqual(
    labels.map(({ kind }) => kind).filter((kind) => kind !== 'nth'),
    geometry.marks.length > 1 ? ['first', 'last'] : ['last'],
  );
  for (const { box } of labels)
    assert.ok(box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom);
  const { x, y, text } = geometry.reference;
  const texts = [...labels.map(({ box }) => box), { left: x - textWidth(text), right: x, top: y - 11, bottom: y + 3 }];
  for (const [i, box] of texts.entries()) {
    for (const other of texts.slice(i + 1)) assert.ok(!overlap(box, other), JSON.stringify([box, other]));
  }
}

describe('the numbers of the phase portrait', () => {
  for (const width of [380, 900, 1440]) {
    for (const epochs of [12, 100]) {
      it(`tell first and last, apart and beside the line: ${width} px, ${epochs} epochs`, () => {
        const frame = frameAt(width);
        let [all, onLine] = [0, 0];
        for (let seed = 0; seed < 25; seed++) {
          const geometry = phaseGeometry(straying(epochs, seed), frame, 0.5);
          assertLegible(geometry, frame);
          const boxes = labelled(geometry).map(({ box }) => box);
          all += boxes.length;
          onLine += boxes.filter((box) => liesOnLine(box, geometry.path)).length;
        }
        // Where the line is a knot, the least bad place is on it.
        assert.ok(onLine <= all * (width === 380 ? 0.05 : 0), `${onLine} of ${all} lie on the line`);
      });
    }
  }

  it('tell first and last where a run begins and ends in the same place, and in a corner', () => {
    const frame = frameAt(380);
    const round = Array.from({ length: 101 }, (_, i) =>
      point(i + 1, 3 + Math.sin((i * Math.PI) / 50), 0.5 + 0.1 * Math.cos((i * Math.PI) / 50)),
    );
    const still = Array.from({ length: 12 }, (_, i) => point(i + 1, 4, 0.5));
    const corners = Array.from({ length: 12 }, (_, i) => point(i + 1, i % 2, i % 4 < 2 ? 0 : 1));
    for (const points of [round, still, corners, [point(1, 4, 1)], [point(1, 1, 0.5), point(2, 4, 0.5)]])
      for (const alpha of [0.5, 1]) assertLegible(phaseGeometry(points, frame, alpha), frame);
  });

  it('take the side that the fewest stretches of the line go through, the nearest of equals', () => {
    const frame = { left: 0, right: 200, top: 0, bottom: 200 };
    const mark = { x: 100, y: 100, width: 20, always: true };
    const at = (stretches: readonly Stretch[]): Place | null | undefined =>
      numberPlaces([mark], { frame, stretches, symbols: [], texts: [] })[0];
    assert.deepEqual(at([]), { x: 118, y: 100 });
    // From the left through the mark to the right: above it is free.
    assert.deepEqual(
      at([
        [
          { x: 0, y: 100 },
          { x: 200, y: 100 },
        ],
      ]),
      { x: 100, y: 85 },
    );
  });

  it('leave out a number between the ends where only the marks’ own places are left', () => {
    const frame = { left: 0, right: 40, top: 0, bottom: 40 };
    const mark = { x: 20, y: 20, width: 30 };
    const around = { frame, stretches: [], symbols: [], texts: [{ left: 0, right: 40, top: 0, bottom: 20 }] };
    assert.deepEqual(numberPlaces([{ ...mark, always: false }], { ...around, symbols: [{ x: 20, y: 33 }] }), [null]);
    assert.deepEqual(numberPlaces([{ ...mark, always: true }], around), [{ x: 20, y: 33 }]);
  });

  it('know which stretches go through a box', () => {
    const box = { left: 10, right: 20, top: 10, bottom: 20 };
    const through = (x1: number, y1: number, x2: number, y2: number): boolean =>
      crosses(
        [
          { x: x1, y: y1 },
          { x: x2, y: y2 },
        ],
        box,
      );
    assert.deepEqual(
      [through(0, 15, 30, 15), through(15, 0, 15, 30), through(0, 0, 30, 30), through(12, 12, 13, 18)],
      [true, true, true, true],
    );
    assert.deepEqual([through(0, 5, 30, 5), through(0, 12, 9, 12), through(0, 18, 14, 32)], [false, false, false]);
  });
});
