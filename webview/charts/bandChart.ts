/**
 * Calibration over epochs: every family's p̂ against the band, the mean with its interval, and beside it the reward
 * kernel along the same vertical axis, so that a p̂ and its reward are on one level.
 */
import * as l10n from '@vscode/l10n';
import { area, line } from 'd3';
import type { ChangeMark, FamilyPoint } from '../../src/shared/report/data.ts';
import { drawChanges, drawEpochAxis, drawValueAxis } from './axes.ts';
import { bandGeometry, type CalibrationEpoch, type BandGeometry, type Dot, type PlacedKernel } from './bandGeometry.ts';
import { ChartHost, nearestByX, nearestWithin, type Drawing, type Reader, type Stop } from './chartHost.ts';
import { columnWidth } from './epochScale.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { number, plural, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import { spreadLabels } from './labels.ts';
import { setSymbols } from '../lib/symbols.ts';
import { verdictOf, verdictShapes, verdictWord } from './verdict.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

export interface CalibrationSpec {
  epochs: readonly CalibrationEpoch[];
  families: readonly FamilyPoint[];
  changes: readonly ChangeMark[];
  reading: string;
  /** Called when a person chooses an epoch. */
  onEpoch?(epoch: number): void;
}

interface EpochStop extends Stop {
  epoch: number;
}

export class BandChart {
  readonly host: ChartHost;
  readonly #spec: CalibrationSpec;
  #selected: number | null = null;
  #showSelected: () => void = () => undefined;

  constructor(spec: CalibrationSpec) {
    this.#spec = spec;
    this.host = new ChartHost({
      name: 'Success rate of task families by epoch',
      reading: spec.reading,
      height: (width) => (width < 600 ? 340 : 430),
      draw: (drawing, width, height) => this.#draw(drawing, width, height),
    });
  }

  /** Marks the column of an epoch that other views show. */
  select(epoch: number): void {
    this.#selected = epoch;
    this.#showSelected();
  }

  #draw(drawing: Drawing, width: number, height: number): Reader {
    const narrow = width < 600;
    const kernelWidth = narrow ? 56 : 132;
    const labelRoom = narrow ? 72 : 92;
    const frame = { left: 40, right: width - kernelWidth - labelRoom - 8, top: 34, bottom: height - 32 };
    const kernelLeft = frame.right + labelRoom;
    const geometry = bandGeometry(this.#spec.epochs, this.#spec.families, {
      ...frame,
      kernel: [kernelLeft, kernelLeft + kernelWidth],
    });
    const { x, y } = geometry;
    const column = columnWidth(x);
    const selected = drawing.append('rect').attr('class', 'selected').attr('y', frame.top).attr('width', column);
    selected.attr('height', frame.bottom - frame.top);
    this.#showSelected = () => {
      selected.attr('display', this.#selected === null || this.#spec.epochs.length < 2 ? 'none' : null);
      if (this.#selected !== null) selected.attr('x', x(this.#selected - 0.5));
    };
    this.#showSelected();
    drawBands(drawing, geometry);
    const ticks = [0, 0.25, 0.5, 0.75, 1];
    drawValueAxis(drawing, y, frame, { title: 'success rate p̂ of a family', ticks, format: rate });
    drawEpochAxis(drawing, x, frame.bottom);
    drawDots(drawing, geometry);
    drawMean(drawing, geometry);
    drawChanges(drawing, x, this.#spec.changes, frame, true);
    drawKernel(drawing, geometry, frame, narrow);
    this.#drawLabels(drawing, geometry, frame.right, narrow);
    return this.#reader(drawing, geometry);
  }

  /** Names of line, band and α between the two panels, where both are read. */
  #drawLabels(drawing: Drawing, { y, mean }: BandGeometry, right: number, narrow: boolean): void {
    const last = this.#spec.epochs.at(-1);
    if (last === undefined) return;
    const { alpha, kMin } = last.curriculum;
    const end = mean.at(-1);
    const labels = [
      { text: `α = ${rate(alpha)}`, at: y(alpha), kind: 'reference' },
      ...(narrow
        ? []
        : [
            { text: 'α + k_min', at: y(Math.min(1, alpha + kMin)), kind: 'edge' },
            { text: 'α − k_min', at: y(Math.max(0, alpha - kMin)), kind: 'edge' },
          ]),
      ...(end === undefined ? [] : [{ text: `mean ${rate(y.invert(end.y))}`, at: end.y, kind: 'mean' }]),
    ];
    const placed = spreadLabels(
      labels.map(({ at }) => at),
      14,
      [y(1), y(0)],
    );
    drawing
      .append('g')
      .attr('class', 'labels')
      .selectAll<SVGTextElement, unknown>('text')
      .data(labels)
      .join('text')
      .attr('class', ({ kind }) => `label label-${kind}`)
      .attr('x', right + 8)
      .attr('y', (_, i) => placed[i] ?? outOfRange())
      .attr('dy', '0.35em')
      .call((texts) => setSymbols(texts, ({ text }) => text));
  }

  #reader(drawing: Drawing, geometry: BandGeometry): Reader {
    const { x, y } = geometry;
    const parts = Map.groupBy(geometry.dots, ({ family }) => family.epoch);
    const dotStops = new Map<Stop, Dot>();
    const stops = this.#spec.epochs.map((epoch): EpochStop => {
      const own = (parts.get(epoch.epoch) ?? []).toSorted((a, b) => a.family.p - b.family.p);
      const families = own.map((dot): EpochStop => {
        const stop = { epoch: epoch.epoch, x: dot.x, y: dot.y, text: familyText(dot.family, epoch) };
        dotStops.set(stop, dot);
        return stop;
      });
      return {
        epoch: epoch.epoch,
        x: x(epoch.epoch),
        y: epoch.mean === null ? y(0.5) : y(epoch.mean.p),
        text: epochText(epoch, own.length),
        parts: families,
      };
    });
    const every = stops.flatMap((stop) => stop.parts ?? []);
    const cursor = drawing.append('g').attr('class', 'cursor').attr('display', 'none');
    const rule = cursor.append('line').attr('class', 'cursor-rule').attr('y1', y(1)).attr('y2', y(0));
    const whisker = cursor.append('line').attr('class', 'cursor-whisker');
    const ring = cursor
      .append('circle')
      .attr('class', 'cursor-ring')
      .attr('r', geometry.dotRadius + 2.5);
    const epochOf = (stop: Stop): number | null =>
      stops.find((s) => s === stop || s.parts?.includes(stop))?.epoch ?? null;
    const [, end = 0] = x.range();
    return {
      stops,
      nearest: (px, py) => (px > end + 4 ? null : (nearestWithin(every, px, py, 9) ?? nearestByX(stops, px))),
      mark(stop) {
        cursor.attr('display', stop === null ? 'none' : null);
        if (stop === null) return;
        const dot = dotStops.get(stop);
        rule
          .attr('x1', stop.x)
          .attr('x2', stop.x)
          .attr('display', dot === undefined ? null : 'none');
        ring.attr('cx', stop.x).attr('cy', stop.y);
        whisker.attr('display', dot === undefined ? 'none' : null);
        if (dot === undefined) return;
        whisker.attr('x1', dot.x).attr('x2', dot.x).attr('y1', y(dot.family.low)).attr('y2', y(dot.family.high));
      },
      choose: (stop) => {
        const epoch = epochOf(stop);
        if (epoch !== null) this.#spec.onEpoch?.(epoch);
      },
    };
  }
}

function drawBands(drawing: Drawing, { bands, reward }: BandGeometry): void {
  // The last band continues in the kernel's panel, which has the same axis.
  const shown = [...bands, ...bands.slice(-1).map((band) => ({ ...band, from: reward(0), to: reward(1) }))];
  const group = drawing.append('g').attr('class', 'bands');
  group
    .selectAll('rect')
    .data(shown)
    .join('rect')
    .attr('class', 'band')
    .attr('x', ({ from }) => from)
    .attr('width', ({ from, to }) => to - from)
    .attr('y', ({ top }) => top)
    .attr('height', ({ top, bottom }) => bottom - top);
  group
    .selectAll('line')
    .data(shown)
    .join('line')
    .attr('class', 'alpha')
    .attr('x1', ({ from }) => from)
    .attr('x2', ({ to }) => to)
    .attr('y1', ({ alpha }) => alpha)
    .attr('y2', ({ alpha }) => alpha);
}

function drawDots(drawing: Drawing, { dots, dotRadius, dotOpacity }: BandGeometry): void {
  drawing
    .append('g')
    .attr('class', 'dots')
    .attr('opacity', dotOpacity)
    .selectAll('circle')
    .data(dots)
    .join('circle')
    .attr('class', ({ kept }) => (kept ? 'dot dot-kept' : 'dot dot-dropped'))
    .attr('cx', ({ x }) => x)
    .attr('cy', ({ y }) => y)
    .attr('r', ({ kept }) => (kept ? dotRadius : dotRadius - 0.4));
}

function drawMean(drawing: Drawing, { mean, x }: BandGeometry): void {
  type Point = BandGeometry['mean'][number];
  const group = drawing.append('g').attr('class', 'mean');
  const sparse = columnWidth(x) > 44 || mean.length < 3;
  if (sparse) {
    group
      .selectAll('line')
      .data(mean)
      .join('line')
      .attr('class', 'mean-whisker')
      .attr('x1', (at) => at.x)
      .attr('x2', (at) => at.x)
      .attr('y1', ({ low }) => low)
      .attr('y2', ({ high }) => high);
  } else {
    const ribbon = area<Point>()
      .x((at) => at.x)
      .y0(({ low }) => low)
      .y1(({ high }) => high);
    group.append('path').attr('class', 'mean-ribbon').attr('d', ribbon(mean));
  }
  const path = line<Point>()
    .x((at) => at.x)
    .y((at) => at.y);
  group.append('path').attr('class', 'mean-halo').attr('d', path(mean));
  group.append('path').attr('class', 'mean-line').attr('d', path(mean));
  group
    .selectAll('circle')
    .data(sparse ? mean : mean.slice(-1))
    .join('circle')
    .attr('class', 'mean-dot')
    .attr('cx', (at) => at.x)
    .attr('cy', (at) => at.y)
    .attr('r', 3.6);
}

function drawKernel(
  drawing: Drawing,
  { kernels, reward, y }: BandGeometry,
  { top, bottom }: { top: number; bottom: number },
  narrow: boolean,
): void {
  type Point = PlacedKernel[number];
  const group = drawing.append('g').attr('class', 'kernel tone-environment');
  const [left, right] = [reward(0), reward(1)];
  const shape = area<Point>()
    .x0(left)
    .x1((at) => at.x)
    .y((at) => at.y);
  const inForce = kernels.at(-1) ?? [];
  group.append('path').attr('class', 'kernel-area').attr('d', shape(inForce));
  const curve = line<Point>()
    .x((at) => at.x)
    .y((at) => at.y);
  for (const kernel of kernels) {
    group
      .append('path')
      .attr('class', kernel === inForce ? 'line' : 'line line-former')
      .attr('d', curve(kernel));
  }
  group.append('line').attr('class', 'axis-line').attr('x1', left).attr('x2', left).attr('y1', y(1)).attr('y2', y(0));
  group
    .selectAll<SVGTextElement, unknown>('text')
    .data([
      { text: '0', x: left, y: bottom + 18, anchor: 'middle' },
      { text: '1', x: right, y: bottom + 18, anchor: 'middle' },
      { text: narrow ? 'R_env' : 'reward R_env', x: left, y: top - 12, anchor: 'start' },
    ])
    .join('text')
    .attr('class', 'axis-title')
    .attr('x', (label) => label.x)
    .attr('y', (label) => label.y)
    .attr('text-anchor', ({ anchor }) => anchor)
    .call((texts) => setSymbols(texts, ({ text }) => text));
}

/** The facts of one family, for a tooltip or a screen reader. */
export function familyText(family: FamilyPoint, { curriculum }: Pick<CalibrationEpoch, 'curriculum'>): string[] {
  const verdict = verdictOf(family.p, curriculum);
  const details = Object.entries(family.complexity).map(([name, value]) => `${name} ${number(value)}`);
  return [
    l10n.t('{0} {1} · p̂ {2}', verdictShapes[verdict].character, verdictWord(verdict), rate(family.p)),
    l10n.t(
      'interval {0}: {1} of {2}, {3}',
      interval(family.low, family.high),
      family.successes,
      plural(family.attempts, l10n.t('attempt'), l10n.t('attempts')),
      plural(family.tasks, l10n.t('task'), l10n.t('tasks')),
    ),
    family.kept > 0
      ? l10n.t('reward {0}, weight {1} of the update', rate(family.environmentReward), percent(family.weight))
      : l10n.t('reward {0}, left out of the update', rate(family.environmentReward)),
    ...(details.length === 0 ? [] : [details.slice(0, 6).join(' · ')]),
    l10n.t('family {0}', family.id),
  ];
}

function epochText({ epoch, mean }: CalibrationEpoch, families: number): string[] {
  if (mean === null) return [`Epoch ${epoch}`, 'not measured yet'];
  return [
    `Epoch ${epoch} · mean p̂ ${rate(mean.p)}`,
    `interval ${interval(mean.low, mean.high)}`,
    plural(families, 'family', 'families'),
  ];
}
