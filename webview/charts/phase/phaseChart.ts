/**
 * The phase portrait: difficulty across, success up, a run's epochs as a path. Where p̂ stays and the path goes to the
 * right, both policies get better; where it only rises or falls, one of them leaves the other behind.
 */
import * as l10n from '@vscode/l10n';
import { line, symbol, symbolCircle, symbolSquare } from 'd3';
import type { Curriculum } from '../../../src/shared/report/data.ts';
import { drawBottomAxis, drawValueAxis } from '../axes.ts';
import { ChartHost, nearestWithin, type Drawing, type Reader, type Stop } from '../chartHost.ts';
import { outline } from '../outline.ts';
import { interval } from '../../../src/shared/text/figures/intervals.ts';
import { measure, rate } from '../../../src/shared/text/figures/numbers.ts';
import type { PlotFrame } from '../seriesGeometry.ts';
import type { PhasePoint } from './phaseCourse.ts';
import { phaseGeometry, phaseLabel, type PhaseGeometry } from './phaseGeometry.ts';

export interface PhaseSpec {
  name: string;
  reading: string;
  /** Of the horizontal axis: `steps, mean of an epoch’s tasks`. */
  difficulty: string;
  /** In a tooltip: `steps`. */
  measure: string;
  points: readonly PhasePoint[];
  /** The band that is drawn. */
  band: Pick<Curriculum, 'alpha' | 'kMin'>;
  height?: number;
  looked?: number | null;
  onEpoch?: (epoch: number) => void;
}

/** Pixels around an epoch in which it is read. */
const reach = 32;

/** A chart of changing data: `redraw` shows the current result of `spec`. */
export function phaseChart(spec: () => PhaseSpec): ChartHost {
  const { name, reading } = spec();
  return new ChartHost({
    name,
    reading,
    height: (width) => spec().height ?? Math.round(Math.min(420, Math.max(280, width * 0.6))),
    draw: (drawing, width, height) => draw(drawing, width, height, spec()),
  });
}

function draw(drawing: Drawing, width: number, height: number, spec: PhaseSpec): Reader {
  const frame = { left: 44, right: width - 16, top: 30, bottom: height - 46 };
  const geometry = phaseGeometry(spec.points, frame, spec.band.alpha);
  drawBand(drawing, geometry, frame, spec.band);
  drawValueAxis(drawing, geometry.y, frame, { title: 'p̂', ticks: geometry.y.ticks(5), format: rate });
  drawBottomAxis(drawing, geometry.x, frame.bottom, {
    ...{ title: '', ticks: geometry.x.ticks(Math.max(2, Math.floor(width / 90))), format: measure },
  });
  drawing
    .append('text')
    .attr('class', 'axis-title')
    .attr('x', frame.right)
    .attr('y', frame.bottom + 36)
    .attr('text-anchor', 'end')
    .text(`${spec.difficulty} →`);
  drawEpochs(drawing, geometry);
  drawPath(drawing, geometry);
  return reader(drawing, geometry, spec);
}

function drawBand(
  drawing: Drawing,
  { y, reference }: PhaseGeometry,
  { left, right }: PlotFrame,
  { alpha, kMin }: PhaseSpec['band'],
): void {
  const [top, bottom] = [y(Math.min(1, alpha + kMin)), y(Math.max(0, alpha - kMin))];
  drawing
    .append('rect')
    .attr('class', 'band')
    .attr('x', left)
    .attr('width', right - left)
    .attr('y', top)
    .attr('height', bottom - top);
  drawing
    .append('line')
    .attr('class', 'alpha')
    .attr('x1', left)
    .attr('x2', right)
    .attr('y1', y(alpha))
    .attr('y2', y(alpha));
  drawing
    .append('text')
    .attr('class', 'label label-reference')
    .attr('x', reference.x)
    .attr('y', reference.y)
    .attr('text-anchor', 'end')
    .text(reference.text);
}

function drawEpochs(drawing: Drawing, { epochs }: PhaseGeometry): void {
  drawing
    .append('g')
    .attr('class', 'phase-epochs')
    .selectAll('circle')
    .data(
      outline(
        epochs,
        ({ point }) => point.epoch,
        ({ x }) => x,
        ({ y }) => y,
      ),
    )
    .join('circle')
    .attr('class', 'phase-epoch')
    .attr('cx', ({ x }) => x)
    .attr('cy', ({ y }) => y)
    .attr('r', epochs.length > 200 ? 1.5 : 2.5);
}

function drawPath(drawing: Drawing, { path, marks, arrows }: PhaseGeometry): void {
  const group = drawing.append('g').attr('class', 'phase tone-ink');
  const through = line<{ x: number; y: number }>()
    .x((at) => at.x)
    .y((at) => at.y);
  group.append('path').attr('class', 'phase-halo').attr('d', through(path));
  group.append('path').attr('class', 'line').attr('d', through(path));
  group
    .selectAll('.phase-arrow')
    .data(arrows)
    .join('path')
    .attr('class', 'phase-arrow')
    .attr('transform', ({ x, y, angle }) => `translate(${x},${y}) rotate(${angle})`)
    .attr('d', 'M-5,-5L5,0L-5,5Z');
  group
    .selectAll('.phase-mark')
    .data(marks)
    .join('path')
    .attr('class', ({ kind }) => `phase-mark phase-${kind}`)
    .attr('transform', ({ x, y }) => `translate(${x},${y})`)
    .attr('d', ({ kind }) => symbol(kind === 'first' ? symbolSquare : symbolCircle, kind === 'nth' ? 30 : 70)());
  group
    .selectAll('.phase-label')
    .data(marks.flatMap(({ label, ...mark }) => (label === null ? [] : [{ ...mark, label }])))
    .join('text')
    .attr('class', ({ kind }) => `phase-label phase-label-${kind}`)
    .attr('x', ({ label }) => label.x)
    .attr('y', ({ label }) => label.y)
    .attr('dy', '0.35em')
    .attr('text-anchor', 'middle')
    .text(phaseLabel);
}

function reader(drawing: Drawing, { epochs }: PhaseGeometry, spec: PhaseSpec): Reader {
  const stops = epochs.map(({ x, y, point }): Stop => {
    const { p, low, high, difficulty, versions } = point;
    return {
      x,
      y,
      text: [
        l10n.t('Epoch {0}', point.epoch),
        `p̂ ${rate(p)} (${interval(low, high)})`,
        `${spec.measure} ${measure(difficulty)}`,
        l10n.t('written by {0}', versions.environment),
        l10n.t('attempted by {0}', versions.agent),
      ],
    };
  });
  const group = drawing.append('g').attr('class', 'phase-cursor');
  const whisker = group.append('line').attr('class', 'cursor-whisker');
  const ring = group.append('circle').attr('class', 'cursor-ring').attr('r', 7);
  const show = (at: (typeof epochs)[number] | undefined): void => {
    group.attr('display', at === undefined ? 'none' : null);
    if (at === undefined) return;
    whisker.attr('x1', at.x).attr('x2', at.x).attr('y1', at.low).attr('y2', at.high);
    ring.attr('cx', at.x).attr('cy', at.y);
  };
  const looked = epochs.find(({ point }) => point.epoch === spec.looked);
  show(looked);
  return {
    stops,
    nearest: (x, y) => nearestWithin(stops, x, y, reach),
    mark: (stop) => show(stop === null ? looked : epochs[stops.indexOf(stop)]),
    choose(stop) {
      const epoch = epochs[stops.indexOf(stop)]?.point.epoch;
      if (epoch !== undefined) spec.onEpoch?.(epoch);
    },
  };
}
