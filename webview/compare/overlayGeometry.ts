/** The layout of several runs' lines in one chart. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';
import { spreadLabels } from '../charts/labels.ts';
import { zeroBased, type PlotFrame } from '../charts/seriesGeometry.ts';
import type { Point } from './measures.ts';

export interface PlacedRun {
  points: { point: Point; x: number; y: number; low: number; high: number }[];
  /** Where the run's letter stands, right of the plot; null for one without points. */
  labelY: number | null;
}

export interface OverlayGeometry {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  /** In the order given. */
  runs: PlacedRun[];
}

/** Lines of text that label lines, in pixels. */
const lineHeight = 14;

export function overlayGeometry(
  runs: readonly (readonly Point[])[],
  withIntervals: boolean,
  { left, right, top, bottom }: PlotFrame,
): OverlayGeometry {
  let [first, last] = [Infinity, -Infinity];
  let [least, most] = [0, 0];
  for (const { x, value, low, high } of runs.flat()) {
    [first, last] = [Math.min(first, x), Math.max(last, x)];
    [least, most] = [
      Math.min(least, withIntervals ? (low ?? value) : value),
      Math.max(most, withIntervals ? (high ?? value) : value),
    ];
  }
  if (!Number.isFinite(first)) [first, last] = [0, 1];
  // A single point is drawn in the middle.
  if (first === last) [first, last] = [first - 1, last + 1];
  const x = scaleLinear([first, last], [left, right]);
  const y = scaleLinear(zeroBased([least, most]), [bottom, top]).nice(4);
  const placed = runs.map((points) =>
    points.map((point) => ({
      point,
      x: x(point.x),
      y: y(point.value),
      low: y(point.low ?? point.value),
      high: y(point.high ?? point.value),
    })),
  );
  const ends = placed.map((points) => points.at(-1)?.y);
  const spread = spreadLabels(
    ends.filter((end) => end !== undefined),
    lineHeight,
    [top, bottom],
  );
  let next = 0;
  return {
    x,
    y,
    runs: placed.map((points, i) => ({
      points,
      labelY: ends[i] === undefined ? null : (spread[next++] ?? null),
    })),
  };
}
