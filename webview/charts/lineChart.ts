/** Lines over epochs, named at their ends; intervals as ribbons, references as dashed lines. */
import { area, line, symbol, symbolCircle, symbolDiamond, symbolSquare } from 'd3';
import { largest } from '../../src/shared/extremes.ts';
import type { ChangeMark } from '../../src/shared/report/data.ts';
import { cursorRule, drawChanges, drawEpochAxis, drawLooked, drawValueAxis } from './axes.ts';
import { ChartHost, nearestByX, type Drawing, type Reader, type Stop } from './chartHost.ts';
import { columnWidth } from './epochScale.ts';
import { textWidth } from './labels.ts';
import {
  seriesGeometry,
  type PlacedPoint,
  type PlacedSeries,
  type PlotFrame,
  type SeriesGeometry,
  type SeriesPoint,
} from './seriesGeometry.ts';

/** Whose number it is: one colour a policy, ink for what both made. */
export type Tone = 'agent' | 'environment' | 'ink' | 'muted';

export interface LineSeries {
  /** Short: it stands at the line's end. */
  label: string;
  tone: Tone;
  /** Tells lines apart without colour. */
  mark: 'circle' | 'square' | 'diamond';
  dashed?: boolean;
  points: readonly SeriesPoint[];
}

export interface LineSpec {
  name: string;
  reading: string;
  /** Unit of the values, above the axis. */
  unit: string;
  series: readonly LineSeries[];
  references: readonly { label: string; value: number }[];
  /** First and last epoch of the axis, the same in every chart of a page. */
  epochs: readonly [number, number];
  changes: readonly ChangeMark[];
  /** Epochs to mark on the axis with ×, and what that means. */
  crosses?: { epochs: readonly number[]; label: string };
  format: (value: number) => string;
  height?: number;
  /** The epoch that a page around the charts looks at. */
  looked?: number | null;
  /** Called when a person chooses an epoch. */
  onEpoch?: (epoch: number) => void;
}

const shapes = { circle: symbolCircle, square: symbolSquare, diamond: symbolDiamond };

export const lineChart = (spec: LineSpec): ChartHost => liveLineChart(() => spec);

/** A chart of data that changes: `redraw` shows what `spec` gives then. */
export function liveLineChart(spec: () => LineSpec): ChartHost {
  const { name, reading } = spec();
  return new ChartHost({
    name,
    reading,
    height: () => spec().height ?? 230,
    draw: (drawing, width, height) => draw(drawing, width, height, spec()),
  });
}

function draw(drawing: Drawing, width: number, height: number, spec: LineSpec): Reader {
  const series = spec.series.filter(({ points }) => points.length > 0);
  const names = [...series.map(endLabel(spec)), ...spec.references.map(({ label }) => label)];
  const room = Math.min(width * 0.36, Math.max(largest(names.map((name) => textWidth(name))), 20) + 14);
  const frame = { left: 44, right: width - room, top: 30, bottom: height - 30 };
  const geometry = seriesGeometry(series, spec.references, spec.epochs, frame);
  const { x, y } = geometry;
  drawLooked(drawing, x, frame, spec.looked);
  drawValueAxis(drawing, y, frame, { title: spec.unit, ticks: y.ticks(4), format: spec.format });
  drawEpochAxis(drawing, x, frame.bottom);
  drawChanges(drawing, x, spec.changes, frame, false);
  drawReferences(drawing, geometry, frame);
  for (const [i, placed] of geometry.series.entries()) {
    const one = series[i];
    if (one !== undefined) drawSeries(drawing, placed, one, columnWidth(x), frame.right, endLabel(spec)(one));
  }
  drawCrosses(drawing, geometry, spec, frame.bottom);
  return reader(drawing, geometry, series, spec, frame);
}

/** A line's name with its last value: what a reader looks for at its end. */
const endLabel =
  (spec: LineSpec) =>
  ({ label, points }: LineSeries): string => {
    const last = points.at(-1);
    return last === undefined ? label : `${label} ${spec.format(last.value)}`;
  };

function drawReferences(
  drawing: Drawing,
  { references }: SeriesGeometry,
  { left, right }: { left: number; right: number },
): void {
  const group = drawing.append('g').attr('class', 'references');
  for (const { label, y, labelY } of references) {
    group.append('line').attr('class', 'reference').attr('x1', left).attr('x2', right).attr('y1', y).attr('y2', y);
    group
      .append('text')
      .attr('class', 'label label-reference')
      .attr('x', right + 8)
      .attr('y', labelY)
      .attr('dy', '0.35em')
      .text(label);
  }
}

function drawSeries(
  drawing: Drawing,
  { points, labelY }: PlacedSeries,
  series: LineSeries,
  column: number,
  right: number,
  label: string,
): void {
  const group = drawing.append('g').attr('class', `series tone-${series.tone}`);
  const between = points.length > 1 ? Math.abs((points[1]?.x ?? 0) - (points[0]?.x ?? 0)) : Infinity;
  const ranged = points.filter(({ low, high }) => low !== null && high !== null);
  if (between > 26) {
    group
      .selectAll('.interval')
      .data(ranged)
      .join('line')
      .attr('class', 'interval')
      .attr('x1', (at) => at.x)
      .attr('x2', (at) => at.x)
      .attr('y1', ({ low }) => low)
      .attr('y2', ({ high }) => high);
  } else {
    const ribbon = area<PlacedPoint>()
      .x((at) => at.x)
      .y0(({ low, y }) => low ?? y)
      .y1(({ high, y }) => high ?? y);
    group.append('path').attr('class', 'ribbon').attr('d', ribbon(ranged));
  }
  const path = line<PlacedPoint>()
    .x((at) => at.x)
    .y((at) => at.y);
  group
    .append('path')
    .attr('class', series.dashed === true && column > 2.5 ? 'line line-dashed' : 'line')
    .attr('d', path(points));
  const every = between > 16 && column > 3;
  group
    .selectAll('.mark')
    .data(every ? points : points.slice(-1))
    .join('path')
    .attr('class', 'mark')
    .attr('transform', (at) => `translate(${at.x},${at.y})`)
    .attr('d', symbol(shapes[series.mark], 30)());
  if (labelY === null) return;
  group
    .append('text')
    .attr('class', 'label label-series')
    .attr('x', right + 8)
    .attr('y', labelY)
    .attr('dy', '0.35em')
    .text(label);
}

function drawCrosses(drawing: Drawing, { x }: SeriesGeometry, { crosses }: LineSpec, bottom: number): void {
  if (crosses === undefined || crosses.epochs.length === 0) return;
  drawing
    .append('g')
    .attr('class', 'crosses')
    .selectAll('path')
    .data(crosses.epochs)
    .join('path')
    .attr('class', 'cross')
    .attr('d', (epoch) => `M${x(epoch) - 3},${bottom - 8}l6,6m0,-6l-6,6`);
}

function reader(
  drawing: Drawing,
  { x, series: placed }: SeriesGeometry,
  series: readonly LineSeries[],
  spec: LineSpec,
  frame: PlotFrame,
): Reader {
  const byEpoch = Map.groupBy(
    placed.flatMap(({ points }, i) => points.map((at) => ({ at, series: series[i] }))),
    ({ at }) => at.point.epoch,
  );
  const crossed = new Set(spec.crosses?.epochs);
  const epochs = [...new Set([...byEpoch.keys(), ...crossed])].sort((a, b) => a - b);
  const stops = epochs.map((epoch): Stop => {
    const own = byEpoch.get(epoch) ?? [];
    const lines = own.map(({ at: { point }, series: one }) => {
      const { value, low, high } = point;
      const range = low === undefined || high === undefined ? '' : ` (${spec.format(low)}–${spec.format(high)})`;
      return `${one?.label ?? ''} ${spec.format(value)}${range}`;
    });
    const cross = crossed.has(epoch) ? [spec.crosses?.label ?? ''] : [];
    const [first] = own;
    return {
      x: x(epoch),
      y: first === undefined ? frame.bottom : first.at.y,
      text: [`Epoch ${epoch}`, ...lines, ...cross],
    };
  });
  const rule = cursorRule(drawing, frame);
  return {
    stops,
    nearest: (px) => nearestByX(stops, px),
    mark: (stop) => rule(stop?.x ?? null),
    choose(stop) {
      const epoch = epochs[stops.indexOf(stop)];
      if (epoch !== undefined) spec.onEpoch?.(epoch);
    },
  };
}
