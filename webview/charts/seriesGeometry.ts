/** The layout of the lines of a chart over epochs. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';
import { largest, smallest } from '../../src/shared/extremes.ts';
import { epochScale, type EpochScale } from './epochScale.ts';
import { spreadLabels } from './labels.ts';

export interface SeriesPoint {
  epoch: number;
  value: number;
  low?: number;
  high?: number;
}

export interface SeriesInput {
  label: string;
  points: readonly SeriesPoint[];
}

export interface PlacedPoint {
  point: SeriesPoint;
  x: number;
  y: number;
  low: number | null;
  high: number | null;
}

export interface PlacedSeries {
  label: string;
  points: PlacedPoint[];
  /** Where its label stands, right of the plot; null for a series without points. */
  labelY: number | null;
}

export interface SeriesGeometry {
  x: EpochScale;
  y: ScaleLinear<number, number>;
  series: PlacedSeries[];
  references: { label: string; y: number; labelY: number }[];
}

export interface PlotFrame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Lines of text that label lines, in pixels. */
const lineHeight = 14;

/**
 * From 0 to the largest value; below 0 only where values reach visibly below it (estimates of a divergence near 0 may
 * come out a little negative). A flat zero gets the range 0 … 1.
 */
export function zeroBased(values: readonly number[]): [number, number] {
  const top = Math.max(0, largest(values));
  const bottom = Math.min(0, smallest(values));
  if (top === bottom) return [0, 1];
  return [-bottom < 0.02 * top ? 0 : bottom, top];
}

export function seriesGeometry(
  series: readonly SeriesInput[],
  references: readonly { label: string; value: number }[],
  epochs: readonly [number, number],
  { left, right, top, bottom }: PlotFrame,
): SeriesGeometry {
  const all = series.flatMap(({ points }) =>
    points.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
  );
  const x = epochScale(epochs, [left, right]);
  const y = scaleLinear(zeroBased([...all, ...references.map(({ value }) => value)]), [bottom, top]).nice(4);
  const placed = series.map(({ label, points }) => ({
    label,
    points: points.map((point) => ({
      point,
      x: x(point.epoch),
      y: y(point.value),
      low: point.low === undefined ? null : y(point.low),
      high: point.high === undefined ? null : y(point.high),
    })),
  }));
  const ends = placed.map(({ points }) => points.at(-1)?.y);
  const lines = references.map(({ value }) => y(value));
  const wanted = [...ends.filter((end) => end !== undefined), ...lines];
  const spread = spreadLabels(wanted, lineHeight, [top, bottom]);
  let next = 0;
  return {
    x,
    y,
    series: placed.map((one, i) => ({ ...one, labelY: ends[i] === undefined ? null : (spread[next++] ?? null) })),
    references: references.map(({ label }, i) => {
      const at = lines[i] ?? bottom;
      return { label, y: at, labelY: spread[next++] ?? at };
    }),
  };
}
