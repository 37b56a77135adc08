/** Small multiples: one number a panel, each on its own scale from 0, all over the same epochs. */
import * as l10n from '@vscode/l10n';
import { area, line } from 'd3';
import { cursorRule, drawEpochAxis } from './axes.ts';
import { ChartHost, type Drawing, type Reader, type Stop } from './chartHost.ts';
import type { Tone } from './lineChart.ts';
import { panelAt, panelLayout } from './panelGeometry.ts';
import {
  seriesGeometry,
  type PlacedPoint,
  type PlotFrame,
  type SeriesGeometry,
  type SeriesPoint,
} from './seriesGeometry.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

interface Panel {
  title: string;
  tone: Tone;
  points: readonly SeriesPoint[];
  format: (value: number) => string;
}

export interface PanelSpec {
  name: string;
  reading: string;
  panels: readonly Panel[];
  epochs: readonly [number, number];
}

const panelHeight = 138;

export function panelChart(spec: PanelSpec): ChartHost {
  return new ChartHost({
    name: spec.name,
    reading: spec.reading,
    height: (width) => panelLayout(spec.panels.length, width, panelHeight).height + 4,
    draw: (drawing, width) => draw(drawing, width, spec),
  });
}

function draw(drawing: Drawing, width: number, spec: PanelSpec): Reader {
  const { frames } = panelLayout(spec.panels.length, width, panelHeight);
  const panels = spec.panels.flatMap((panel, i) => {
    const frame = frames[i];
    if (frame === undefined) return [];
    const inner = { ...frame, left: frame.left + 2, right: frame.right - 44 };
    const geometry = seriesGeometry([{ label: panel.title, points: panel.points }], [], spec.epochs, inner);
    drawPanel(drawing, panel, geometry, inner);
    return [{ panel, frame: inner, geometry }];
  });
  return reader(drawing, panels, frames, spec);
}

function drawPanel(drawing: Drawing, panel: Panel, { x, y, series }: SeriesGeometry, frame: PlotFrame): void {
  const group = drawing.append('g').attr('class', `panel series tone-${panel.tone}`);
  group
    .append('text')
    .attr('class', 'panel-title')
    .attr('x', frame.left)
    .attr('y', frame.top - 13)
    .text(panel.title);
  group
    .append('line')
    .attr('class', 'axis-line')
    .attr('x1', frame.left)
    .attr('x2', frame.right)
    .attr('y1', y(0))
    .attr('y2', y(0));
  drawEpochAxis(drawing, x, frame.bottom, false);
  const points = series[0]?.points ?? [];
  const shape = area<PlacedPoint>()
    .x((at) => at.x)
    .y0(y(0))
    .y1((at) => at.y);
  const path = line<PlacedPoint>()
    .x((at) => at.x)
    .y((at) => at.y);
  group.append('path').attr('class', 'ribbon').attr('d', shape(points));
  group.append('path').attr('class', 'line').attr('d', path(points));
  const last = points.at(-1);
  if (last === undefined) return;
  group.append('circle').attr('class', 'mark').attr('cx', last.x).attr('cy', last.y).attr('r', 3);
  group
    .append('text')
    .attr('class', 'label label-series')
    .attr('x', frame.right + 7)
    .attr('y', last.y)
    .attr('dy', '0.35em')
    .text(panel.format(last.point.value));
}

function reader(
  drawing: Drawing,
  panels: readonly { panel: Panel; frame: PlotFrame; geometry: SeriesGeometry }[],
  frames: readonly PlotFrame[],
  spec: PanelSpec,
): Reader {
  const [first] = panels;
  const epochs = [...new Set(spec.panels.flatMap(({ points }) => points.map(({ epoch }) => epoch)))].sort(
    (a, b) => a - b,
  );
  const stopAt = (epoch: number, index: number): Stop => {
    const shown = panels[index] ?? first;
    const lines = spec.panels.flatMap(({ title, points, format }) => {
      const point = points.find((candidate) => candidate.epoch === epoch);
      return point === undefined ? [] : [`${title} ${format(point.value)}`];
    });
    const middle = shown === undefined ? 0 : (shown.frame.top + shown.frame.bottom) / 2;
    return { epoch, x: shown?.geometry.x(epoch) ?? 0, y: middle, text: [l10n.t('Epoch {0}', epoch), ...lines] };
  };
  const stops = epochs.map((epoch) => stopAt(epoch, 0));
  const epochOf = new WeakMap(stops.map((stop, i) => [stop, epochs[i] ?? outOfRange()]));
  const rules = panels.map(({ frame: { top, bottom } }) => cursorRule(drawing, { top: top - 6, bottom }));
  return {
    stops,
    nearest(px, py) {
      const index = panelAt(frames, px, py);
      const panel = index === null ? undefined : panels[index];
      if (index === null || panel === undefined) return null;
      const wanted = panel.geometry.x.invert(px);
      const epoch = epochs.reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a), epochs[0] ?? 0);
      const stop = stopAt(epoch, index);
      epochOf.set(stop, epoch);
      return stop;
    },
    mark(stop) {
      const epoch = stop === null ? undefined : epochOf.get(stop);
      for (const [i, rule] of rules.entries()) {
        rule(epoch === undefined ? null : (panels[i]?.geometry.x(epoch) ?? 0));
      }
    },
  };
}
