/** Who waited for whom: the phases of each epoch on the clock, with what was sampled ahead beside them. */
import type { TimelinePhase } from '../../../src/shared/report/timeline.ts';
import { drawBottomAxis } from '../axes.ts';
import { ChartHost, type Drawing, type Reader, type Stop } from '../chartHost.ts';
import { number } from '../../../src/shared/text/figures/numbers.ts';
import { legendHeight, legendRow, legendRows } from '../legendRows.ts';
import type { TimelineEpoch, TimelineStretch } from '../../../src/shared/report/timelineCourse.ts';
import { rowHeight, timelineGeometry, type PlacedStretch, type TimelineGeometry } from './timelineGeometry.ts';

export interface TimelineSpec {
  /** In the page's language. */
  name: string;
  reading: string;
  epochs: readonly TimelineEpoch[];
  /** Of the vertical axis. */
  title: string;
  phases: Record<TimelinePhase, string>;
  /** Of what was sampled ahead; null where nothing was. */
  ahead: string | null;
  said: (epoch: number, stretch: TimelineStretch) => readonly string[];
  /** The epoch that a page around the charts looks at. */
  looked?: number | null;
  onEpoch?: (epoch: number) => void;
}

const fills: Record<TimelinePhase, string> = {
  generate: 'fill-environment-3',
  attempt: 'fill-agent-3',
  measure: 'fill-muted-2',
  score: 'fill-ink',
  agent: 'fill-agent',
  environment: 'fill-environment-1',
  'agent-publish': 'fill-muted',
  'environment-publish': 'fill-muted',
};

const frame = { left: 58, right: 14, top: 8, axis: 34 };

/** A chart of changing data: `redraw` shows the current result of `spec`. */
export function timelineChart(spec: () => TimelineSpec): ChartHost {
  const { name, reading } = spec();
  return new ChartHost({
    ...{ name, reading },
    height: (width) => bottomOf(spec()) + frame.axis + legendHeight(placesOf(spec(), width)),
    draw: (drawing, width) => draw(drawing, width, spec()),
  });
}

const bottomOf = ({ epochs }: TimelineSpec): number => frame.top + rowHeight * epochs.length;

interface Name {
  label: string;
  classes: string;
}

/** Phases that happened, and the look of what was sampled ahead. */
function namesOf({ epochs, phases, ahead }: TimelineSpec): Name[] {
  const there = new Set(epochs.flatMap(({ stretches }) => stretches.map(({ phase }) => phase)));
  const order = ['generate', 'attempt', 'score', 'agent', 'environment', 'measure'] as const;
  // Both have one look.
  const publishing = (['agent-publish', 'environment-publish'] as const)
    .filter((phase) => there.has(phase))
    .slice(0, 1);
  return [
    ...[...order, ...publishing].flatMap((phase) =>
      there.has(phase) ? [{ label: phases[phase], classes: `segment ${fills[phase]}` }] : [],
    ),
    ...(ahead === null ? [] : [{ label: ahead, classes: 'segment fill-agent-3 timeline-ahead' }]),
  ];
}

const placesOf = (spec: TimelineSpec, width: number) =>
  legendRows(
    namesOf(spec).map(({ label }) => label),
    frame.left,
    width - frame.right,
  );

function draw(drawing: Drawing, width: number, spec: TimelineSpec): Reader {
  const bottom = bottomOf(spec);
  const geometry = timelineGeometry(spec.epochs, { left: frame.left, right: width - frame.right, top: frame.top });
  const { x, unit, rows, stretches } = geometry;
  const most = Math.max(2, Math.floor((width - frame.left) / 90));
  drawing
    .append('g')
    .selectAll('rect')
    .data(rows)
    .join('rect')
    .attr('class', ({ epoch }) => (epoch === spec.looked ? 'timeline-row timeline-looked' : 'timeline-row'))
    .attr('x', (row) => row.x)
    .attr('y', (row) => row.y)
    .attr('width', (row) => row.width)
    .attr('height', (row) => row.height);
  drawBottomAxis(drawing, x, bottom, { title: unit, ticks: x.ticks(most), format: number });
  const names = drawing.append('g').attr('class', 'axis');
  names
    .selectAll('text')
    .data(rows)
    .join('text')
    .attr('x', frame.left - 8)
    .attr('y', (row) => row.y + row.height / 2)
    .attr('dy', '0.35em')
    .attr('text-anchor', 'end')
    .text(({ epoch }, i) => (i === 0 ? `${spec.title} ${epoch}` : String(epoch)));
  const cursor = drawing.append('rect').attr('class', 'cursor-column').attr('display', 'none');
  const parts = drawing
    .append('g')
    .selectAll('rect')
    .data(stretches)
    .join('rect')
    .attr('class', ({ stretch: { phase }, ahead }) => `segment ${fills[phase]}${ahead ? ' timeline-ahead' : ''}`)
    .attr('x', (part) => part.x)
    .attr('y', (part) => part.y)
    .attr('width', (part) => part.width)
    .attr('height', (part) => part.height);
  drawLegend(drawing, spec, width, bottom + frame.axis);
  return reader(geometry, spec, (row, part) => {
    cursor.attr('display', row === null ? 'none' : null);
    if (row !== null) {
      cursor
        .attr('x', frame.left - 4)
        .attr('width', width - frame.left - frame.right + 8)
        .attr('y', row.y - 4)
        .attr('height', row.height + 8);
    }
    parts.classed('timeline-read', (one) => one === part);
  });
}

function drawLegend(drawing: Drawing, spec: TimelineSpec, width: number, top: number): void {
  const group = drawing.append('g').attr('class', 'labels');
  const names = namesOf(spec);
  for (const [i, { x, row }] of placesOf(spec, width).entries()) {
    const name = names[i];
    if (name === undefined) continue;
    const y = top + row * legendRow + 6;
    group
      .append('rect')
      .attr('class', name.classes)
      .attr('x', x)
      .attr('y', y - 5)
      .attr('width', 16)
      .attr('height', 10);
    group
      .append('text')
      .attr('class', 'label')
      .attr('x', x + 22)
      .attr('y', y)
      .attr('dy', '0.35em')
      .text(name.label);
  }
}

function reader(
  { rows, stretches }: TimelineGeometry,
  spec: TimelineSpec,
  show: (row: { y: number; height: number } | null, part: PlacedStretch | null) => void,
): Reader {
  const inOrder = stretches.toSorted((a, b) => a.epoch - b.epoch || a.stretch.from - b.stretch.from);
  const stops = inOrder.map((part): Stop => ({
    ...{ x: part.x + part.width / 2, y: part.y + part.height / 2, epoch: part.epoch },
    text: spec.said(part.epoch, part.stretch),
  }));
  const away = (part: PlacedStretch, px: number, py: number): number =>
    Math.hypot(Math.max(part.x - px, 0, px - part.x - part.width), Math.max(part.y - py, 0, py - part.y - part.height));
  return {
    stops,
    nearest(px, py) {
      const row = rows.find(({ y, height }) => py >= y - 5 && py <= y + height + 5);
      if (row === undefined) return null;
      let best: { stop: Stop; distance: number } | null = null;
      for (const [i, part] of inOrder.entries()) {
        const stop = stops[i];
        if (part.epoch !== row.epoch || stop === undefined) continue;
        const distance = away(part, px, py);
        if (best === null || distance < best.distance || (distance === best.distance && !part.ahead))
          best = { stop, distance };
      }
      return best?.stop ?? null;
    },
    mark(stop) {
      const part = stop === null ? null : (inOrder[stops.indexOf(stop)] ?? null);
      show(part === null ? null : (rows.find(({ epoch }) => epoch === part.epoch) ?? null), part);
    },
    choose(stop) {
      if (stop.epoch !== undefined) spec.onEpoch?.(stop.epoch);
    },
  };
}
