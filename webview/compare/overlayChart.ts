/** Runs drawn over each other: distinguished by letter, dash, mark and colour, named at the ends of their lines. */
import { area, line, symbol, symbolsFill, type SymbolType } from 'd3';
import { largest } from '../../src/shared/extremes.ts';
import { cursorRule, drawBottomAxis, drawEpochAxis, drawValueAxis } from '../charts/axes.ts';
import { ChartHost, nearestByX, nearestWithin, type Drawing, type Reader, type Stop } from '../charts/chartHost.ts';
import { textWidth } from '../charts/labels.ts';
import type { PlotFrame } from '../charts/seriesGeometry.ts';
import { smoothed, type Smoothing } from '../charts/smoothing/means.ts';
import * as l10n from '@vscode/l10n';
import { axisWords, type Measure, type Point } from './measures.ts';
import type { Axis } from './navigation.ts';
import { overlayGeometry, type OverlayGeometry, type PlacedRun } from './overlayGeometry.ts';

export interface OverlayRun {
  /** Its place among the runs: decides letter, dash, mark and colour. */
  index: number;
  letter: string;
  name: string;
  points: readonly Point[];
}

export interface OverlaySpec {
  measure: Pick<Measure, 'unit' | 'format' | 'tick'>;
  axis: Axis;
  smoothing: Smoothing;
  runs: readonly OverlayRun[];
}

/** With more runs than this, intervals cover each other: they are read in the tooltip and the table. */
const mostRibbons = 3;
const height = 210;

export function overlayChart(name: string, spec: () => OverlaySpec): ChartHost {
  return new ChartHost({
    name,
    reading: name,
    height: () => height,
    draw: (drawing, width, tall) => draw(drawing, width, tall, spec()),
  });
}

function draw(drawing: Drawing, width: number, tall: number, spec: OverlaySpec): Reader {
  const { measure, axis, smoothing, runs } = spec;
  const ends = runs.map((run) => endLabel(run, measure.format));
  const room = Math.max(largest(ends.map((text) => textWidth(text))), 20) + 14;
  const ribbons = runs.length <= mostRibbons;
  const within = (left: number) => ({ left, right: width - room, top: 30, bottom: tall - 30 });
  const place = (frame: PlotFrame): OverlayGeometry =>
    overlayGeometry(
      runs.map(({ points }) => points),
      ribbons,
      frame,
    );
  const format = measure.tick ?? measure.format;
  // Ticks take the room they need: `0.5` little, `1 min 40 s` more.
  const ticks = place(within(0)).y.ticks(4);
  const frame = within(Math.max(44, largest(ticks.map((tick) => textWidth(format(tick), 11.5) + 14))));
  const geometry = place(frame);
  drawValueAxis(drawing, geometry.y, frame, { title: measure.unit, ticks, format });
  drawX(drawing, geometry, axis, frame);
  for (const [i, run] of runs.entries()) {
    const placed = geometry.runs[i];
    if (placed !== undefined)
      drawRun(drawing, run, placed, { ribbons, right: frame.right, label: ends[i] ?? '', smoothing });
  }
  return reader(drawing, geometry, spec, frame);
}

/** `A 0.52`: the letter with the newest value. */
function endLabel({ letter, points }: OverlayRun, format: (value: number) => string): string {
  const last = points.at(-1);
  return last === undefined ? letter : `${letter} ${format(last.value)}`;
}

function drawX(drawing: Drawing, { x }: OverlayGeometry, axis: Axis, { left, right, bottom }: PlotFrame): void {
  if (axis === 'epoch') {
    drawEpochAxis(drawing, x, bottom);
    return;
  }
  const { name, format } = axisWords(axis);
  const ticks = x.ticks(Math.max(2, Math.floor((right - left) / 90)));
  drawBottomAxis(drawing, x, bottom, { title: name, ticks, format });
}

const shapeOf = (index: number): SymbolType | undefined => symbolsFill[index % symbolsFill.length];

function drawRun(
  drawing: Drawing,
  { index }: OverlayRun,
  { points, labelY }: PlacedRun,
  { ribbons, right, label, smoothing }: { ribbons: boolean; right: number; label: string; smoothing: Smoothing },
): void {
  const group = drawing.append('g').attr('class', `series run-${index}`);
  if (ribbons && points.some(({ low, high }) => low !== high)) {
    const ribbon = area<PlacedRun['points'][number]>(
      ({ x }) => x,
      ({ low }) => low,
      ({ high }) => high,
    );
    group.append('path').attr('class', 'ribbon').attr('d', ribbon(points));
  }
  const path = line<PlacedRun['points'][number]>(
    ({ x }) => x,
    ({ y }) => y,
  );
  const means = smoothed(points, smoothing);
  if (smoothing > 1) group.append('path').attr('class', 'line line-measured').attr('d', path(points));
  group.append('path').attr('class', 'line').attr('d', path(means));
  // Marks where there is room for them, few enough a line to be distinguishable.
  const every = Math.max(1, Math.ceil(points.length / 12));
  group
    .selectAll('.mark')
    .data(means.filter((_, i) => (points.length - 1 - i) % every === 0))
    .join('path')
    .attr('class', 'mark')
    .attr('transform', ({ x, y }) => `translate(${x},${y})`)
    .attr('d', symbol(shapeOf(index), 34)());
  if (labelY === null) return;
  group
    .append('text')
    .attr('class', 'label label-series')
    .attr('x', right + 9)
    .attr('y', labelY)
    .attr('dy', '0.35em')
    .text(label);
}

function reader(drawing: Drawing, geometry: OverlayGeometry, spec: OverlaySpec, frame: PlotFrame): Reader {
  const stops = spec.axis === 'epoch' ? epochStops(geometry, spec) : pointStops(geometry, spec);
  const rule = cursorRule(drawing, frame);
  return {
    stops,
    nearest: (x, y) =>
      spec.axis === 'epoch' ? nearestByX(stops, x) : (nearestWithin(stops, x, y, 60) ?? nearestByX(stops, x)),
    mark: (stop) => rule(stop?.x ?? null),
  };
}

const valueText = ({ value, low, high }: Point, format: (value: number) => string): string =>
  low === null || high === null ? format(value) : `${format(value)} (${format(low)}–${format(high)})`;

/** All runs at one epoch together. */
function epochStops({ runs: placed }: OverlayGeometry, { runs, measure }: OverlaySpec): Stop[] {
  const all = placed.flatMap(({ points }, i) => points.map((at) => ({ ...at, run: runs[i] })));
  const byEpoch = Map.groupBy(all, ({ point }) => point.epoch);
  return [...byEpoch]
    .sort(([a], [b]) => a - b)
    .map(([epoch, own]): Stop => {
      const lines = own.map(({ run, point }) => `${run?.letter ?? ''} ${valueText(point, measure.format)}`);
      const [first] = own;
      return { epoch, x: first?.x ?? 0, y: first?.y ?? 0, text: [l10n.t('Epoch {0}', epoch), ...lines] };
    });
}

/** Each point for itself: runs are at different places at the same epoch. */
function pointStops({ runs: placed }: OverlayGeometry, { runs, measure, axis }: OverlaySpec): Stop[] {
  const { name, format } = axisWords(axis);
  return placed
    .flatMap(({ points }, i) =>
      points.map(({ point, x, y }): Stop => {
        const heading = `${runs[i]?.letter ?? ''} ${valueText(point, measure.format)}`;
        return { x, y, text: [heading, `${name} ${format(point.x)}`, l10n.t('Epoch {0}', point.epoch)] };
      }),
    )
    .sort((a, b) => a.x - b.x);
}
