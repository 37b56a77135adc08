/**
 * Very many families as cells: how many share an epoch and a range of p̂. Counts come from binary searches, so that the
 * cost depends on the visible cells, not on the number of families.
 */
import type { CloudIndex } from './cloudIndex.ts';
import type { Plane } from './cloudView.ts';
import type { Palette } from './colours.ts';
import type { Pen } from './pen.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** Pixels of a cell at least. */
const narrowest = 3;
const lowest = 4;

export interface HeatCell {
  x: number;
  y: number;
  width: number;
  height: number;
  families: number;
  kept: number;
}

/** The cells of the stretches from `first` up to `end`; empty ones are left out. Pure. */
export function heatCells(index: CloudIndex, plane: Plane, [first, end]: readonly [number, number]): HeatCell[] {
  const stretches = index.stretches.slice(first, end);
  const { rows, height } = rowsOf(index, plane, stretches[0]?.from ?? 0);
  const group = Math.max(1, Math.ceil(narrowest / plane.column));
  const cells: HeatCell[] = [];
  for (let at = 0; at < stretches.length; at += group) {
    const own = stretches.slice(at, at + group);
    const [head, tail] = [own[0], own.at(-1)];
    if (head === undefined || tail === undefined) break;
    const width = Math.max(narrowest - 0.5, (tail.epoch - head.epoch) * plane.column + plane.column * 0.86);
    const x = (plane.x(head.epoch) + plane.x(tail.epoch)) / 2 - width / 2;
    let starts = own.map(({ from }) => from);
    for (let row = 0; row <= rows; row++) {
      const ends = own.map((stretch) => (row === rows ? stretch.to : index.placeOf(stretch, (row + 0.5) / rows)));
      let [families, kept] = [0, 0];
      for (const [i, to] of ends.entries()) {
        const from = starts[i] ?? to;
        families += to - from;
        kept += index.keptBetween(from, to);
      }
      starts = ends;
      if (families === 0) continue;
      cells.push({ x, y: plane.y(row / rows) - height / 2, width, height, families, kept });
    }
  }
  return cells;
}

/** p̂ of n attempts has n + 1 values: one row each as long as rows are high enough to be distinguishable. */
function rowsOf({ columns, family }: CloudIndex, { rise }: Plane, place: number): { rows: number; height: number } {
  const attempts = columns.attempts[family[place] ?? outOfRange()] ?? 1;
  const rows = Math.max(1, Math.min(attempts, Math.floor(rise / lowest)));
  return { rows, height: Math.max(lowest - 1, Math.min(14, (rise / rows) * 0.86)) };
}

/** The fuller a cell, the stronger its tone; less than in proportion, so that few are still seen beside hundreds. */
export function paintHeat(
  pen: Pen,
  index: CloudIndex,
  plane: Plane,
  range: readonly [number, number],
  { colours }: Palette,
): void {
  const cells = heatCells(index, plane, range);
  const fullest = cells.reduce((most, { families }) => Math.max(most, families), 1);
  for (const { x, y, width, height, families, kept } of cells) {
    const colour = 2 * kept >= families ? colours.ink : colours.muted;
    const opacity = Math.round(100 * (0.1 + 0.75 * (families / fullest) ** 0.65)) / 100;
    pen.rect(x, y, width, height, { colour, opacity });
  }
}
