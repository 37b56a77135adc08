/** The families of one epoch: p̂ with its interval, hardest first, and below it the weight each got in the update. */
import * as l10n from '@vscode/l10n';
import { symbol } from 'd3';
import type { Curriculum, EpochRow, FamilyPoint } from '../../../src/shared/report/data.ts';
import { drawValueAxis } from '../axes.ts';
import { familyText } from '../bandChart.ts';
import { ChartHost, nearestByX, type Drawing, type Reader, type Stop } from '../chartHost.ts';
import { familyGeometry, type FamilyGeometry, type PlacedFamily } from './familyGeometry.ts';
import { rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { textWidth } from '../labels.ts';
import { verdictShapes, verdictWord } from '../verdict.ts';

export interface FamilyView {
  epoch: number;
  curriculum: Curriculum;
  /** Those that are drawn; the counts are of all. */
  families: readonly FamilyPoint[];
  spread: EpochRow['spread'];
  reading: string;
  /** Whether the environment is trained, so that weights mean something. */
  weighted: boolean;
}

const weightHeight = 44;

export class FamilyChart {
  readonly host: ChartHost;
  /** A family was chosen. */
  onChoose: (family: FamilyPoint) => void = () => undefined;
  #view: FamilyView;

  constructor(view: FamilyView) {
    this.#view = view;
    this.host = new ChartHost({
      name: l10n.t('Families of the chosen epoch, hardest first'),
      reading: view.reading,
      height: (width) => (width < 600 ? 290 : 330) + (view.weighted ? weightHeight + 44 : 0),
      draw: (drawing, width, height) => this.#draw(drawing, width, height),
    });
  }

  show(view: FamilyView): void {
    this.#view = view;
    this.host.redraw(view.reading);
  }

  #draw(drawing: Drawing, width: number, height: number): Reader {
    const { curriculum, families, spread, weighted } = this.#view;
    const below = weighted ? weightHeight + 54 : 12;
    const frame = { left: 40, right: width - 64, top: 52, bottom: height - below };
    const geometry = familyGeometry(families, curriculum, { ...frame, weightHeight });
    const { y } = geometry;
    const { alpha, kMin } = curriculum;
    const clamp = (p: number): number => y(Math.min(1, Math.max(0, p)));
    const band = drawing.append('rect').attr('class', 'band').attr('x', frame.left);
    band.attr('width', frame.right - frame.left).attr('y', clamp(alpha + kMin));
    band.attr('height', clamp(alpha - kMin) - clamp(alpha + kMin));
    drawing
      .append('line')
      .attr('class', 'alpha')
      .attr('x1', frame.left)
      .attr('x2', frame.right)
      .attr('y1', y(alpha))
      .attr('y2', y(alpha));
    drawing
      .append('text')
      .attr('class', 'label label-reference')
      .attr('x', frame.right + 8)
      .attr('y', y(alpha))
      .attr('dy', '0.35em')
      .text(`α = ${rate(alpha)}`);
    drawValueAxis(drawing, y, frame, { title: '', ticks: [0, 0.25, 0.5, 0.75, 1], format: rate });
    drawing
      .append('text')
      .attr('class', 'axis-title')
      .attr('x', 0)
      .attr('y', 12)
      .text(l10n.t('success rate p̂, 95 % interval'));
    drawGroups(drawing, geometry, spread, frame.top);
    drawFamilies(drawing, geometry);
    if (weighted) drawWeights(drawing, geometry, frame.right, height - 6);
    return reader(drawing, geometry, this.#view, (family) => this.onChoose(family));
  }
}

function drawGroups(drawing: Drawing, { groups, step }: FamilyGeometry, spread: EpochRow['spread'], top: number): void {
  const all = { 'too hard': spread?.tooHard, 'in band': spread?.inBand, 'too easy': spread?.tooEasy };
  const group = drawing.append('g').attr('class', 'groups');
  for (const { verdict, from, to, ...drawn } of groups) {
    const count = all[verdict] ?? drawn.count;
    const { character } = verdictShapes[verdict];
    const full = `${character} ${verdictWord(verdict)} · ${count}`;
    const room = to - from + step * 0.6;
    const text = [full, `${character} ${count}`].find((candidate) => textWidth(candidate) <= room) ?? String(count);
    group
      .append('line')
      .attr('class', 'group-rule')
      .attr('x1', from + Math.min(3, step * 0.2))
      .attr('x2', to - Math.min(3, step * 0.2))
      .attr('y1', top - 12)
      .attr('y2', top - 12);
    group
      .append('text')
      .attr('class', 'group-label')
      .attr('x', from + Math.min(3, step * 0.2))
      .attr('y', top - 18)
      .text(text);
  }
}

function drawFamilies(drawing: Drawing, { families, step }: FamilyGeometry): void {
  const size = Math.min(64, Math.max(10, step * 3));
  const group = drawing.append('g').attr('class', 'families');
  group
    .selectAll('line')
    .data(families)
    .join('line')
    .attr('class', 'whisker')
    .attr('x1', ({ x }) => x)
    .attr('x2', ({ x }) => x)
    .attr('y1', ({ low }) => low)
    .attr('y2', ({ high }) => high);
  group
    .selectAll('path')
    .data(families)
    .join('path')
    .attr('class', ({ verdict }) => (verdict === 'in band' ? 'family family-in' : 'family family-out'))
    .attr('transform', ({ x, y, verdict }) => `translate(${x},${y}) rotate(${verdictShapes[verdict].turn})`)
    .attr('d', ({ verdict }) => symbol(verdictShapes[verdict].type, size)());
}

function drawWeights(
  drawing: Drawing,
  { families, step, largestWeight }: FamilyGeometry,
  right: number,
  base: number,
): void {
  const group = drawing.append('g').attr('class', 'weights tone-environment');
  const width = Math.max(1, Math.min(18, step * 0.55));
  group
    .append('text')
    .attr('class', 'axis-title')
    .attr('x', 0)
    .attr('y', base - weightHeight - 20)
    .text(
      largestWeight === 0 ? l10n.t('no weight given: no family was kept') : l10n.t('weight in the environment update'),
    );
  group.append('line').attr('class', 'axis-line').attr('x1', 40).attr('x2', right).attr('y1', base).attr('y2', base);
  group
    .selectAll('rect')
    .data(families.filter(({ weight }) => weight > 0))
    .join('rect')
    .attr('class', 'bar')
    .attr('x', ({ x }) => x - width / 2)
    .attr('width', width)
    .attr('y', ({ weight }) => base - weight)
    .attr('height', ({ weight }) => weight);
  const heaviest = families.find(({ weight }) => weight === weightHeight);
  if (heaviest === undefined) return;
  group
    .append('text')
    .attr('class', 'label')
    .attr('x', heaviest.x)
    .attr('y', base - weightHeight - 5)
    .attr('text-anchor', 'middle')
    .text(percent(largestWeight));
}

function reader(
  drawing: Drawing,
  { families, y }: FamilyGeometry,
  view: FamilyView,
  choose: (family: FamilyPoint) => void,
): Reader {
  const placed = new Map<Stop, PlacedFamily>();
  const stops = families.map((at): Stop => {
    const stop = { x: at.x, y: at.y, text: familyText(at.family, view) };
    placed.set(stop, at);
    return stop;
  });
  const rule = drawing.append('line').attr('class', 'cursor-whisker').attr('display', 'none');
  return {
    stops,
    nearest: (px) => nearestByX(stops, px),
    mark(stop) {
      const at = stop === null ? undefined : placed.get(stop);
      rule.attr('display', at === undefined ? 'none' : null);
      if (at === undefined) return;
      rule.attr('x1', at.x).attr('x2', at.x).attr('y1', y(at.family.low)).attr('y2', y(at.family.high));
    },
    choose(stop) {
      const at = placed.get(stop);
      if (at !== undefined) choose(at.family);
    },
  };
}
