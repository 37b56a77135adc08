/** Courses over rollouts: each arm's mean with its band, each seed's line on request. */
import { line, scaleLinear } from 'd3';
import * as l10n from '@vscode/l10n';
import type { StudyCourse } from '../../src/features/study/contract/page.ts';
import { largest, smallest } from '../../src/shared/extremes.ts';
import { svg, toneOf } from './svg.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';

const [width, height] = [900, 320];
const frame = { left: 52, right: width - 30, top: 14, bottom: height - 34 };

export function courseChart(course: StudyCourse, perSeed: boolean, label: string): SVGElement {
  const bands = course.bands;
  const seeds = perSeed ? course.seeds.flat().filter((one) => one !== null) : [];
  const xs = [...bands.flatMap(({ rollouts }) => rollouts), ...seeds.flatMap(({ rollouts }) => rollouts)];
  const ys = [
    ...bands.flatMap(({ mean, low, high }) => [...mean, ...low, ...high]),
    ...seeds.flatMap(({ values }) => values),
  ].filter((value) => value !== null);
  const chart = svg('svg', { class: 'plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  if (ys.length === 0) {
    chart.append(svg('text', { x: 12, y: 30, class: 'faint' }, l10n.t('No run has reached this point yet.')));
    return chart;
  }
  const x = scaleLinear([0, largest(xs)], [frame.left, frame.right]);
  const y = scaleLinear([Math.max(0, smallest(ys)), Math.min(1, largest(ys))], [frame.bottom, frame.top]).nice(4);
  for (const tick of y.ticks(5)) {
    chart.append(svg('line', { class: 'grid', x1: frame.left, x2: frame.right, y1: y(tick), y2: y(tick) }));
    chart.append(svg('text', { x: 8, y: y(tick) + 4, class: 'faint' }, percent(tick)));
  }
  for (const tick of x.ticks(6)) {
    const text = svg('text', { x: x(tick), y: height - 16, class: 'faint', 'text-anchor': 'middle' });
    text.append(count(tick));
    chart.append(text);
  }
  chart.append(
    svg('text', { x: frame.right, y: height - 2, class: 'faint', 'text-anchor': 'end' }, l10n.t('rollouts')),
  );
  const path = line<readonly [number, number | null]>()
    .defined(([, value]) => value !== null)
    .x(([at]) => x(at))
    .y(([, value]) => y(value ?? 0));
  const pairs = (at: readonly number[], values: readonly (number | null)[]): [number, number | null][] =>
    at.map((place, i) => [place, values[i] ?? null]);
  for (const [arm, band] of bands.entries()) {
    const outline = [...pairs(band.rollouts, band.high), ...pairs(band.rollouts, band.low).reverse()];
    const some = outline.filter(([, value]) => value !== null);
    if (some.length > 2) chart.append(svg('path', { class: `ribbon ${toneOf(arm)}`, d: `${path(some) ?? ''}Z` }));
  }
  for (const [arm, rows] of (perSeed ? course.seeds : []).entries()) {
    for (const one of rows) {
      if (one === null) continue;
      chart.append(svg('path', { class: `seed ${toneOf(arm)}`, d: path(pairs(one.rollouts, one.values)) ?? '' }));
    }
  }
  for (const [arm, band] of bands.entries()) {
    chart.append(svg('path', { class: `mean ${toneOf(arm)}`, d: path(pairs(band.rollouts, band.mean)) ?? '' }));
  }
  return chart;
}
