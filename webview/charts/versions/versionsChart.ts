/** A heat map of versions against each other: agents across, tasks down, the share solved in each cell. */
import { scaleBand, type ScaleBand } from 'd3';
import { ChartHost, type Drawing, type Reader, type Stop } from '../chartHost.ts';
import type { VersionCell, VersionMatrix } from './versionMatrix.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';

export interface VersionsSpec {
  /** Of the chart, the axes, a pair: in the page's language. */
  name: string;
  reading: string;
  agents: string;
  tasks: string;
  said: (cell: VersionCell) => readonly string[];
  matrix: VersionMatrix;
}

const frame = { left: 112, right: 8, top: 40, bottom: 8, row: 30 };
/** Narrower cells have no room for their number. */
const roomForNumber = 34;

/** A chart of changing data: `redraw` shows the current result of `spec`. */
export function versionsChart(spec: () => VersionsSpec): ChartHost {
  const { name, reading } = spec();
  return new ChartHost({
    ...{ name, reading },
    height: () => frame.top + frame.bottom + frame.row * spec().matrix.tasks.length,
    draw: (drawing, width, height) => draw(drawing, width, height, spec()),
  });
}

function draw(drawing: Drawing, width: number, height: number, spec: VersionsSpec): Reader {
  const { tasks, agents, cells } = spec.matrix;
  const right = Math.min(width - frame.right, frame.left + 72 * agents.length);
  const x = scaleBand(agents, [frame.left, right]).paddingInner(0.04);
  const y = scaleBand(tasks, [frame.top, height - frame.bottom]).paddingInner(0.06);
  drawNames(drawing, x, y, spec);
  const placed = cells.map((cell) => ({ cell, x: x(cell.agent) ?? 0, y: y(cell.tasks) ?? 0 }));
  const [w, h] = [x.bandwidth(), y.bandwidth()];
  const group = drawing.append('g').attr('class', 'versions tone-agent');
  const rects = group
    .selectAll('rect')
    .data(placed)
    .join('rect')
    .attr('class', ({ cell }) => (cell.agent === cell.tasks ? 'version-cell version-own' : 'version-cell'))
    .attr('x', (at) => at.x)
    .attr('y', (at) => at.y)
    .attr('width', w)
    .attr('height', h)
    .attr('fill-opacity', ({ cell }) => (cell.attempts === 0 ? 0 : 0.06 + (0.5 * cell.successes) / cell.attempts));
  if (w >= roomForNumber) {
    group
      .selectAll('text')
      .data(placed)
      .join('text')
      .attr('x', (at) => at.x + w / 2)
      .attr('y', (at) => at.y + h / 2)
      .attr('dy', '0.35em')
      .attr('text-anchor', 'middle')
      .text(({ cell }) => (cell.attempts === 0 ? '–' : percent(cell.successes / cell.attempts).replace(' %', '')));
  }
  const stops = placed.map(({ cell, ...at }): Stop => ({ x: at.x + w / 2, y: at.y + h / 2, text: spec.said(cell) }));
  return {
    stops,
    nearest: (px, py) =>
      stops.find((stop) => Math.abs(stop.x - px) <= w / 2 + 1 && Math.abs(stop.y - py) <= h / 2 + 1) ?? null,
    mark: (stop) => rects.classed('version-read', (_, i) => stops[i] === stop),
  };
}

function drawNames(drawing: Drawing, x: ScaleBand<number>, y: ScaleBand<number>, spec: VersionsSpec): void {
  const { tasks, agents } = spec.matrix;
  const group = drawing.append('g').attr('class', 'axis');
  const text = (at: { x: number; y: number; anchor: string }, words: string, title = false): void => {
    group
      .append('text')
      .attr('class', title ? 'axis-title' : null)
      .attr('x', at.x)
      .attr('y', at.y)
      .attr('dy', '0.35em')
      .attr('text-anchor', at.anchor)
      .text(words);
  };
  text({ x: frame.left, y: 8, anchor: 'start' }, `${spec.agents} →`, true);
  text({ x: frame.left - 8, y: 28, anchor: 'end' }, `${spec.tasks} ↓`, true);
  const every = Math.ceil(24 / Math.max(1, x.step()));
  for (const [i, agent] of agents.entries()) {
    if (i % every === 0) text({ x: (x(agent) ?? 0) + x.bandwidth() / 2, y: 28, anchor: 'middle' }, String(agent));
  }
  for (const epoch of tasks) {
    text({ x: frame.left - 8, y: (y(epoch) ?? 0) + y.bandwidth() / 2, anchor: 'end' }, String(epoch));
  }
}
