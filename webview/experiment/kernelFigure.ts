/** α, β, λ, k_min and the number of attempts as a drawing: the kernel, the weights, the band and their blur. */
import { axisBottom, axisLeft, scaleLinear, type ScaleLinear } from 'd3';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { ChartHost, nearestByX, type Drawing, type Reader, type Stop } from '../charts/chartHost.ts';
import { count, number, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import { ChartFrame, type SavedFile } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose, setSymbols } from '../lib/symbols.ts';
import { worthOf } from '../../src/engine/math/blur.ts';
import { kernelView, pointAt, type KernelPoint, type KernelView } from './kernelGeometry.ts';

const margin = { left: 38, right: 10, top: 42, bottom: 34 };
const keptHeight = 62;
const gap = 36;

type Scale = ScaleLinear<number, number>;

export class KernelFigure {
  readonly frame: ChartFrame;
  readonly node: HTMLElement;
  readonly #host: ChartHost;
  readonly #legend = element('ul', { class: 'legend' });
  #view: KernelView;

  constructor(experiment: Experiment, save: (file: SavedFile) => void) {
    this.#view = kernelView(experiment);
    this.#host = new ChartHost({
      name: l10n.t('Reward, weight and share kept by success rate'),
      reading: reading(this.#view),
      height: (width) => heightOf(this.#view, width),
      draw: (drawing, width, height) => draw(drawing, this.#view, width, height),
    });
    this.frame = new ChartFrame({
      id: 'kernel',
      title: l10n.t('What the environment is rewarded for'),
      chart: this.#host.node,
      table: () => table(this.#view),
      save,
    });
    this.node = element('div', { class: 'kernel' }, this.frame.node, this.#legend);
    this.show(experiment);
  }

  show(experiment: Experiment): void {
    this.#view = kernelView(experiment);
    const text = reading(this.#view);
    this.#host.redraw(text);
    this.frame.reading = text;
    this.frame.refresh();
    this.#legend.replaceChildren(
      ...legend(this.#view).map(([mark, words]) =>
        element('li', {}, element('span', { class: `swatch ${mark}`, 'aria-hidden': 'true' }), ...prose(words)),
      ),
    );
  }
}

/** The rewards of a file are unknown before it is asked: the share kept stands alone. */
const rewardsAreKnown = ({ of }: KernelView): boolean => of !== 'file';

function heightOf(view: KernelView, width: number): number {
  if (!rewardsAreKnown(view)) return margin.top + 2 * keptHeight + margin.bottom;
  return Math.round(Math.min(260, Math.max(170, width * 0.48))) + gap + keptHeight + margin.bottom;
}

/** The sample behind p̂, and its effective number of independent attempts. */
function measuredOn({ measured, curriculum: { scope } }: KernelView): string {
  const { clusters, attempts, correlation } = measured;
  if (correlation === 0) return l10n.t('{0} attempts', count(attempts));
  const worth = number(worthOf(measured));
  return scope === 'epoch'
    ? l10n.t('{0} families × {1} attempts, worth {2} independent ones', count(clusters), count(attempts), worth)
    : l10n.t('{0} tasks × {1} attempts, worth {2} independent ones', count(clusters), count(attempts), worth);
}

function legend(view: KernelView): [mark: string, words: string][] {
  const kept: [string, string][] =
    view.curriculum.filter === 'off' ? [] : [['kernel-kept', l10n.t('share kept by the filter')]];
  if (!rewardsAreKnown(view)) return kept;
  return [
    ['kernel-exact', view.of === 'change' ? l10n.t('R_env at p, without learning') : l10n.t('R_env at p')],
    [
      'kernel-blurred',
      view.of === 'change'
        ? l10n.t('what chance alone gives on {0}: mean ± one deviation', measuredOn(view))
        : l10n.t('R_env on {0}: mean ± one deviation', measuredOn(view)),
    ],
    ['kernel-weight', l10n.t('weight exp(λR_env), the largest = 1')],
    ...kept,
  ];
}

/** Beyond a million the exact number is irrelevant. */
const fold = (ratio: number): string => (ratio > 1e6 ? '10⁶' : number(ratio));

/** The drawing in one or two sentences. */
function reading(view: KernelView): string {
  const { alpha, kMin, filter } = view.curriculum;
  const weights = [fold(view.contrast.whole), fold(view.contrast.band)] as const;
  const sentences = [
    view.of === 'file'
      ? l10n.t(
          'A file of yours rewards the environment: there is nothing to draw before it is asked. genenv check-curriculum shows its rewards by successes.',
        )
      : view.of === 'change'
        ? l10n.t(
            'The environment is rewarded for how much p̂ changed since the agent’s earlier version. The ribbon is what chance alone earns: a change must stand out of it to tell of learning.',
          )
        : view.of === 'task'
          ? l10n.t(
              'Each task is rewarded by itself. Most is earned, on average, by tasks that the agent solves {0} of the time; weights differ at most {1}-fold, {2}-fold inside the band.',
              percent(view.best),
              ...weights,
            )
          : l10n.t(
              'The environment is rewarded most for tasks that the agent solves {0} of the time; its weights differ at most {1}-fold, {2}-fold inside the band.',
              percent(alpha),
              ...weights,
            ),
  ];
  // Half a band's width beyond its edge, on the side where there is room.
  const beyond = alpha - 1.5 * kMin > 0 ? alpha - 1.5 * kMin : alpha + 1.5 * kMin;
  const [peak, outside] = [pointAt(view, alpha), pointAt(view, beyond)];
  if (filter !== 'off' && peak !== undefined && outside !== undefined) {
    sentences.push(
      l10n.t(
        'On {0}, the filter keeps {1} of what lies at α, and {2} at a true success rate of {3}.',
        measuredOn(view),
        percent(peak.blurred.kept),
        percent(outside.blurred.kept),
        rate(outside.p),
      ),
    );
  }
  const { correlation } = view.measured;
  if (correlation > 0) {
    sentences.push(
      view.curriculum.scope === 'epoch'
        ? l10n.t('Assumed: attempts in one family correlate by {0}. More families tell more.', number(correlation))
        : l10n.t(
            'Assumed: attempts at one task correlate by {0}. More variations narrow the interval; more attempts hardly do.',
            number(correlation),
          ),
    );
  }
  return sentences.join(' ');
}

function table(view: KernelView) {
  const rows = view.points.filter(({ p }) => Math.abs(p * 20 - Math.round(p * 20)) < 1e-9);
  const known = rewardsAreKnown(view);
  const ofRewards = [
    { title: 'R_env', format: number },
    { title: l10n.t('R_env, mean'), format: number },
    { title: l10n.t('R_env, deviation'), format: number },
    { title: l10n.t('weight'), format: number },
  ];
  return {
    columns: [
      { title: l10n.t('true success rate'), format: rate },
      ...(known ? ofRewards : []),
      { title: l10n.t('kept'), format: number },
    ],
    count: rows.length,
    row(index: number) {
      const at = rows[index];
      if (at === undefined) return [];
      const { p, reward, weight, blurred } = at;
      const rewards = [reward, blurred.reward.mean, blurred.reward.deviation, weight];
      return [p, ...(known ? rewards : []), blurred.kept];
    },
  };
}

function draw(drawing: Drawing, view: KernelView, width: number, height: number): Reader {
  const x = scaleLinear([0, 1], [margin.left, width - margin.right]);
  const floor = height - margin.bottom;
  const known = rewardsAreKnown(view);
  const kept = scaleLinear([0, 1], [floor, known ? floor - keptHeight : margin.top]);
  const reward = known ? scaleLinear([0, 1], [floor - keptHeight - gap, margin.top]) : null;
  drawBand(drawing, view, x, [margin.top, floor]);
  drawAxes(drawing, { x, reward, kept });
  drawCurves(drawing, view, { x, reward, kept });
  drawAlpha(drawing, view, x, [margin.top, floor]);
  return reader(drawing, view, { x, reward, kept });
}

interface Scales {
  x: Scale;
  /** Null where no reward is drawn. */
  reward: Scale | null;
  kept: Scale;
}

function drawBand(
  drawing: Drawing,
  { curriculum: { alpha, kMin } }: KernelView,
  x: Scale,
  [top, bottom]: [number, number],
): void {
  const [from, to] = [x(Math.max(0, alpha - kMin)), x(Math.min(1, alpha + kMin))];
  const band = drawing
    .append('rect')
    .attr('class', 'band')
    .attr('x', from)
    .attr('width', Math.max(1, to - from));
  band.attr('y', top).attr('height', bottom - top);
}

function drawAxes(drawing: Drawing, { x, reward, kept }: Scales): void {
  const grid = (y: Scale, ticks: number[]): void => {
    const axis = axisLeft(y)
      .tickValues(ticks)
      .tickFormat((value) => number(value.valueOf()))
      .tickSize(-(x(1) - x(0)))
      .tickPadding(7);
    drawing
      .append('g')
      .attr('class', 'axis axis-grid')
      .attr('transform', `translate(${x(0)},0)`)
      .call(axis);
  };
  if (reward !== null) grid(reward, [0, 0.5, 1]);
  grid(kept, [0, 1]);
  const bottom = axisBottom(x)
    .tickValues([0, 0.25, 0.5, 0.75, 1])
    .tickFormat((value) => number(value.valueOf()))
    .tickSize(4)
    .tickPadding(4);
  drawing
    .append('g')
    .attr('class', 'axis')
    .attr('transform', `translate(0,${kept(0)})`)
    .call(bottom);
  const title = (text: string, y: number): void => {
    const node = drawing.append('text').attr('class', 'axis-title').attr('x', x(0)).attr('y', y).datum(text);
    setSymbols(node, (words) => words);
  };
  if (reward !== null) title(l10n.t('reward R_env and weight'), reward(1) - 28);
  title(l10n.t('kept by the filter'), kept(1) - (reward === null ? 28 : 10));
  const below = drawing
    .append('text')
    .attr('class', 'axis-title')
    .attr('x', x(1))
    .attr('y', kept(0) + 30);
  below.attr('text-anchor', 'end').text(l10n.t('true success rate p'));
}

/** A polyline; d3-shape, for one and its area, would be a twentieth of the page. */
const polyline = (points: readonly (readonly [x: number, y: number])[]): string =>
  points.map(([x, y]) => `${Number(x.toFixed(2))},${Number(y.toFixed(2))}`).join('L');

function drawCurves(drawing: Drawing, { points }: KernelView, { x, reward, kept }: Scales): void {
  const along = (value: (point: KernelPoint) => number, y: Scale) =>
    points.map((point) => [x(point.p), y(Math.min(1, Math.max(0, value(point))))] as const);
  const curve = (name: string, value: (point: KernelPoint) => number, y: Scale): void => {
    drawing
      .append('path')
      .attr('class', name)
      .attr('d', `M${polyline(along(value, y))}`);
  };
  const between = (
    name: string,
    low: (point: KernelPoint) => number,
    high: (point: KernelPoint) => number,
    y: Scale,
  ): void => {
    const outline = [...along(low, y), ...along(high, y).toReversed()];
    drawing
      .append('path')
      .attr('class', name)
      .attr('d', `M${polyline(outline)}Z`);
  };
  const mean = ({ blurred }: KernelPoint): number => blurred.reward.mean;
  const spread = ({ blurred }: KernelPoint): number => blurred.reward.deviation;
  if (reward !== null) {
    between(
      'kernel-ribbon',
      (point) => mean(point) - spread(point),
      (point) => mean(point) + spread(point),
      reward,
    );
    curve('kernel-weight', ({ weight }) => weight, reward);
    curve('kernel-blurred', mean, reward);
    curve('kernel-exact', ({ reward: value }) => value, reward);
  }
  between(
    'kernel-kept-area',
    () => 0,
    ({ blurred }) => blurred.kept,
    kept,
  );
  curve('kernel-kept', ({ blurred }) => blurred.kept, kept);
}

function drawAlpha(
  drawing: Drawing,
  { curriculum: { alpha } }: KernelView,
  x: Scale,
  [top, bottom]: [number, number],
): void {
  const at = x(alpha);
  const rule = drawing.append('line').attr('class', 'alpha').attr('x1', at).attr('x2', at);
  rule.attr('y1', top).attr('y2', bottom);
  const label = drawing
    .append('text')
    .attr('class', 'label label-reference')
    .attr('y', top - 10)
    .text(`α ${rate(alpha)}`);
  const late = alpha > 0.85;
  label.attr('x', at + (late ? 2 : 0)).attr('text-anchor', late ? 'end' : 'middle');
}

function reader(drawing: Drawing, view: KernelView, { x, reward, kept }: Scales): Reader {
  const stops = view.points.map(({ p, reward: exact, weight, blurred }): Stop => ({
    x: x(p),
    y: reward === null ? kept(blurred.kept) : reward(exact),
    text: [
      l10n.t('true success rate {0}', rate(p)),
      ...(reward === null
        ? []
        : [
            l10n.t('R_env {0}', number(exact)),
            l10n.t(
              'on {0}: {1} ± {2}',
              ...[measuredOn(view), number(blurred.reward.mean), number(blurred.reward.deviation)],
            ),
            l10n.t('weight {0} of the largest', number(weight)),
          ]),
      l10n.t('kept by the filter: {0}', percent(blurred.kept)),
    ],
  }));
  const cursor = drawing
    .append('line')
    .attr('class', 'cursor')
    .attr('y1', (reward ?? kept)(1))
    .attr('y2', kept(0))
    .attr('visibility', 'hidden');
  return {
    stops,
    nearest: (at) => nearestByX(stops, at),
    mark(stop) {
      cursor.attr('visibility', stop === null ? 'hidden' : 'visible');
      if (stop !== null) cursor.attr('x1', stop.x).attr('x2', stop.x);
    },
  };
}
