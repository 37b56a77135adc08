/** Lines over epochs, named at their ends; intervals as ribbons, references as dashed lines. */
import * as l10n from '@vscode/l10n';
import { area, line, symbol, symbolCircle, symbolDiamond, symbolSquare } from 'd3';
import { largest } from '../../src/shared/extremes.ts';
import type { ChangeMark } from '../../src/shared/report/data.ts';
import { cursorRule, drawChanges, drawEpochAxis, drawLooked, drawValueAxis } from './axes.ts';
import { ChartHost, nearestByX, type Drawing, type Reader, type Stop } from './chartHost.ts';
import { textWidth } from './labels.ts';
import { legendHeight, legendRow, legendRows, legendSample } from './legendRows.ts';
import { outline } from './outline.ts';
import { smoothed, type Smoothing } from './smoothing/means.ts';
import {
  seriesGeometry,
  type PlacedPoint,
  type PlacedSeries,
  type PlotFrame,
  type SeriesGeometry,
  type SeriesPoint,
} from './seriesGeometry.ts';

/** The owner of the number: one colour a policy, ink for results of both. */
export type Tone = 'agent' | 'environment' | 'ink' | 'muted';

export interface LineSeries {
  /** Short: shown at the line's end. */
  label: string;
  tone: Tone;
  /** Distinguishes lines without colour. */
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
  /** Epochs to mark on the axis with ×, and the mark's meaning. */
  crosses?: { epochs: readonly number[]; label: string };
  format: (value: number) => string;
  height?: number;
  /** Points that each place of a line is the mean of; as measured without. */
  smoothing?: Smoothing;
  /** The epoch that a page around the charts looks at. */
  looked?: number | null;
  /** Called when a person chooses an epoch. */
  onEpoch?: (epoch: number) => void;
}

const shapes = { circle: symbolCircle, square: symbolSquare, diamond: symbolDiamond };

export const lineChart = (spec: LineSpec): ChartHost => liveLineChart(() => spec);

/** A chart of changing data: `redraw` shows the current result of `spec`. */
export function liveLineChart(spec: () => LineSpec): ChartHost {
  const { name, reading } = spec();
  return new ChartHost({
    name,
    reading,
    height: (width) => (spec().height ?? 230) + legendHeight(namesPlan(spec(), width).legend),
    draw: (drawing, width, height) => draw(drawing, width, height, spec()),
  });
}

const drawnSeries = (spec: LineSpec): LineSeries[] => spec.series.filter(({ points }) => points.length > 0);

interface NamesPlan {
  /** Pixels right of the plot. */
  room: number;
  /** Where the names stand below the plot, lines first, then references; empty while they fit beside it. */
  legend: ReturnType<typeof legendRows>;
}

/** Names stand at the ends of their lines; where they would take the plot's room, below it, with the values alone left. */
function namesPlan(spec: LineSpec, width: number): NamesPlan {
  const series = drawnSeries(spec);
  const roomFor = (texts: readonly string[]): number =>
    Math.max(largest(texts.map((text) => textWidth(text))), 20) + 14;
  const names = [...series.map(endLabel(spec)), ...spec.references.map(({ label }) => label)];
  const room = roomFor(names);
  if (room <= width * 0.36) return { room, legend: [] };
  const below = [...series.map(({ label }) => label), ...spec.references.map(({ label }) => label)];
  return { room: roomFor(series.map(endValue(spec))), legend: legendRows(below, 4, width) };
}

function draw(drawing: Drawing, width: number, whole: number, spec: LineSpec): Reader {
  const series = drawnSeries(spec);
  const { room, legend } = namesPlan(spec, width);
  const height = whole - legendHeight(legend);
  const frame = { left: 44, right: width - room, top: 30, bottom: height - 30 };
  const beside = legend.length === 0;
  const references = beside ? spec.references : spec.references.map(({ value }) => ({ label: '', value }));
  const geometry = seriesGeometry(series, references, spec.epochs, frame);
  const { x, y } = geometry;
  drawLooked(drawing, x, frame, spec.looked);
  drawValueAxis(drawing, y, frame, { title: spec.unit, ticks: y.ticks(4), format: spec.format });
  drawEpochAxis(drawing, x, frame.bottom);
  drawChanges(drawing, x, spec.changes, frame, false);
  drawReferences(drawing, geometry, frame);
  for (const [i, placed] of geometry.series.entries()) {
    const one = series[i];
    if (one === undefined) continue;
    drawSeries(drawing, placed, one, {
      right: frame.right,
      label: (beside ? endLabel : endValue)(spec)(one),
      place: i,
      smoothing: spec.smoothing ?? 1,
    });
  }
  drawLegend(drawing, spec, legend, height + 4);
  drawCrosses(drawing, geometry, spec, frame.bottom);
  return reader(drawing, geometry, series, spec, frame);
}

/** A line's name with its last value, at its end. */
const endLabel =
  (spec: LineSpec) =>
  ({ label, points }: LineSeries): string => {
    const last = points.at(-1);
    return last === undefined ? label : `${label} ${spec.format(last.value)}`;
  };

/** The last value alone. */
const endValue =
  (spec: LineSpec) =>
  ({ points }: LineSeries): string => {
    const last = points.at(-1);
    return last === undefined ? '' : spec.format(last.value);
  };

function drawLegend(drawing: Drawing, spec: LineSpec, legend: NamesPlan['legend'], top: number): void {
  const entries = [
    ...drawnSeries(spec).map(({ label, tone, mark, dashed }) => ({ label, tone, mark, dashed: dashed === true })),
    ...spec.references.map(({ label }) => ({ label, tone: 'muted' as const, mark: null, dashed: true })),
  ];
  const group = drawing.append('g').attr('class', 'legend');
  for (const [i, { x, row }] of legend.entries()) {
    const entry = entries[i];
    if (entry === undefined) continue;
    const { label, tone, mark, dashed } = entry;
    const y = top + row * legendRow + legendRow / 2;
    const one = group.append('g').attr('class', `series tone-${tone}`);
    one
      .append('path')
      .attr('class', mark === null ? 'reference' : dashed ? 'line line-dashed' : 'line')
      .attr('d', `M${x},${y}h${legendSample - 6}`);
    if (mark !== null) {
      one
        .append('path')
        .attr('class', 'mark')
        .attr('transform', `translate(${x + (legendSample - 6) / 2},${y})`)
        .attr('d', symbol(shapes[mark], 30)());
    }
    one
      .append('text')
      .attr('class', `label ${mark === null ? 'label-reference' : 'label-series'}`)
      .attr('x', x + legendSample)
      .attr('y', y)
      .attr('dy', '0.35em')
      .text(label);
  }
}

/** Pixels between the marks of a line, at least; marks of lines that overlap stand beside each other. */
const markEvery = 42;

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

const epochOf = ({ point }: PlacedPoint): number => point.epoch;
const heightOf = ({ y }: PlacedPoint): number => y;
const lowOf = ({ low, y }: PlacedPoint): number => low ?? y;
const highOf = ({ high, y }: PlacedPoint): number => high ?? y;

function drawSeries(
  drawing: Drawing,
  { points, labelY }: PlacedSeries,
  series: LineSeries,
  { right, label, place, smoothing }: { right: number; label: string; place: number; smoothing: Smoothing },
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
      .y0(lowOf)
      .y1(highOf);
    group
      .append('path')
      .attr('class', 'ribbon')
      .attr('d', ribbon(outline(ranged, epochOf, lowOf, highOf)));
  }
  const path = line<PlacedPoint>()
    .x((at) => at.x)
    .y((at) => at.y);
  const look = series.dashed === true ? 'line line-dashed' : 'line';
  const means = smoothed(points, smoothing);
  if (smoothing > 1)
    group
      .append('path')
      .attr('class', 'line line-measured')
      .attr('d', path(outline(points, epochOf, heightOf)));
  group
    .append('path')
    .attr('class', look)
    .attr('d', path(outline(means, epochOf, heightOf)));
  // From the newest back, which always has one; the next line's begin a third of the way on.
  const every = between > 16 ? 1 : Math.ceil(markEvery / Math.max(between, 0.001));
  const ahead = Math.round((place % 3) * (every / 3));
  const isMarked = (_: PlacedPoint, i: number): boolean =>
    i === points.length - 1 || (points.length - 1 - i + every - ahead) % every === 0;
  group
    .selectAll('.mark')
    .data(means.filter(isMarked))
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
    const cross = crossed.has(epoch) ? [spec.crosses?.label ?? ''] : [];
    const [first] = own;
    return {
      epoch,
      x: x(epoch),
      y: first === undefined ? frame.bottom : first.at.y,
      get text() {
        const lines = own.map(({ at: { point }, series: one }) => {
          const { value, low, high } = point;
          const range = low === undefined || high === undefined ? '' : ` (${spec.format(low)}–${spec.format(high)})`;
          return `${one?.label ?? ''} ${spec.format(value)}${range}`;
        });
        return [l10n.t('Epoch {0}', epoch), ...lines, ...cross];
      },
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
