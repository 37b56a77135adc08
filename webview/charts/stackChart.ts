/** Stacked bars over epochs, each layer named beside the last bar. */
import * as l10n from '@vscode/l10n';
import { largest } from '../../src/shared/extremes.ts';
import type { ChangeMark } from '../../src/shared/report/data.ts';
import { drawChanges, drawEpochAxis, drawLooked, drawValueAxis } from './axes.ts';
import { ChartHost, nearestByX, type Drawing, type Reader, type Stop } from './chartHost.ts';
import { columnWidth } from './epochScale.ts';
import { textWidth } from './labels.ts';
import { stackGeometry, type StackGeometry, type StackRow } from './stackGeometry.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

interface StackLayer {
  label: string;
  /** Class of its colour: `fill-agent`, `fill-environment-2`, … */
  fill: string;
}

export interface StackSpec {
  name: string;
  reading: string;
  unit: string;
  /** Bottom first. */
  layers: readonly StackLayer[];
  rows: readonly StackRow[];
  epochs: readonly [number, number];
  changes: readonly ChangeMark[];
  normalise: boolean;
  /** Of an axis value, and of one segment for its tooltip. */
  format: (value: number) => string;
  formatPart: (value: number) => string;
  height?: number;
  /** The epoch that a page around the charts looks at. */
  looked?: number | null;
  /** Called when a person chooses an epoch. */
  onEpoch?: (epoch: number) => void;
}

export const stackChart = (spec: StackSpec): ChartHost => liveStackChart(() => spec);

/** A chart of changing data: `redraw` shows the current result of `spec`. */
export function liveStackChart(spec: () => StackSpec): ChartHost {
  const { name, reading } = spec();
  return new ChartHost({
    name,
    reading,
    height: () => spec().height ?? 230,
    draw: (drawing, width, height) => draw(drawing, width, height, spec()),
  });
}

function draw(drawing: Drawing, width: number, height: number, spec: StackSpec): Reader {
  const room = Math.min(width * 0.4, Math.max(largest(spec.layers.map(({ label }) => textWidth(label))), 20) + 30);
  const frame = { left: 44, right: width - room, top: 30, bottom: height - 30 };
  const geometry = stackGeometry(spec.rows, spec.layers.length, spec.epochs, frame, spec.normalise);
  const { x, y } = geometry;
  drawLooked(drawing, x, frame, spec.looked);
  const ticks = spec.normalise ? [0, 0.5, 1] : y.ticks(4);
  drawValueAxis(drawing, y, frame, { title: spec.unit, ticks, format: spec.format });
  drawEpochAxis(drawing, x, frame.bottom);
  drawing
    .append('g')
    .attr('class', 'stack')
    .selectAll('rect')
    .data(geometry.segments)
    .join('rect')
    .attr(
      'class',
      ({ layer, width: own }) => `${own < 8 ? 'segment-tight' : 'segment'} ${spec.layers[layer]?.fill ?? ''}`,
    )
    .attr('x', (segment) => segment.x)
    .attr('width', (segment) => segment.width)
    .attr('y', (segment) => segment.y)
    .attr('height', (segment) => segment.height);
  drawChanges(drawing, x, spec.changes, frame, false);
  drawLabels(drawing, geometry, spec, frame.right);
  return reader(drawing, geometry, spec, frame);
}

/** A swatch and a name for each layer, in the order of the stack. */
function drawLabels(drawing: Drawing, { labels }: StackGeometry, { layers }: StackSpec, right: number): void {
  const group = drawing.append('g').attr('class', 'labels');
  for (const [i, { label, fill }] of layers.entries()) {
    const at = labels[i] ?? outOfRange();
    group
      .append('rect')
      .attr('class', `segment ${fill}`)
      .attr('x', right + 8)
      .attr('y', at - 5)
      .attr('width', 10)
      .attr('height', 10);
    group
      .append('text')
      .attr('class', 'label')
      .attr('x', right + 23)
      .attr('y', at)
      .attr('dy', '0.35em')
      .text(label);
  }
}

function reader(
  drawing: Drawing,
  { x, y }: StackGeometry,
  spec: StackSpec,
  { top, bottom }: { top: number; bottom: number },
): Reader {
  const half = Math.max(3, columnWidth(x) / 2);
  const stops = spec.rows.map(({ epoch, values }): Stop => {
    const total = values.reduce((sum, value) => sum + value, 0);
    const height = spec.normalise ? 1 : total;
    return {
      epoch,
      x: x(epoch),
      y: y(height / 2),
      get text() {
        const lines = spec.layers
          .map(({ label }, i) => ({ label, value: values[i] ?? outOfRange() }))
          .filter(({ value }) => value > 0)
          .map(({ label, value }) => `${label} ${spec.formatPart(value)}`)
          .reverse();
        return [l10n.t('Epoch {0}', epoch), ...(lines.length === 0 ? [l10n.t('none')] : lines)];
      },
    };
  });
  const box = drawing
    .append('rect')
    .attr('class', 'cursor-column')
    .attr('y', top)
    .attr('height', bottom - top);
  box.attr('width', 2 * half).attr('display', 'none');
  return {
    stops,
    nearest: (px) => nearestByX(stops, px),
    mark(stop) {
      box.attr('display', stop === null ? 'none' : null);
      if (stop !== null) box.attr('x', stop.x - half);
    },
    choose(stop) {
      const epoch = spec.rows[stops.indexOf(stop)]?.epoch;
      if (epoch !== undefined) spec.onEpoch?.(epoch);
    },
  };
}
