/** Axes, references and markers that charts share. */
import * as l10n from '@vscode/l10n';
import { axisBottom, axisLeft, type ScaleLinear, type Selection } from 'd3';
import type { ChangeMark } from '../../src/shared/report/data.ts';
import type { Drawing } from './chartHost.ts';
import { columnWidth, epochTicks, type EpochScale } from './epochScale.ts';
import { textWidth } from './labels.ts';
import type { PlotFrame } from './seriesGeometry.ts';

type Group = Selection<SVGGElement, unknown, null, undefined>;

/** Pixels, as charts.css has it. */
const titleSize = 11.5;

/** Epochs below the plot, with the word `epoch` at the axis' own end. */
export function drawEpochAxis(drawing: Drawing, x: EpochScale, bottom: number, title = true): void {
  drawBottomAxis(drawing, x, bottom, { title: title ? l10n.t('epoch') : '', ticks: epochTicks(x), format: String });
}

interface AxisWords {
  title: string;
  ticks: readonly number[];
  format: (value: number) => string;
}

/** Values below the plot, formatted by the axis. */
export function drawBottomAxis(
  drawing: Drawing,
  x: ScaleLinear<number, number>,
  bottom: number,
  { title, ticks, format }: AxisWords,
): void {
  const [left = 0] = x.range();
  // A longer word, as other languages have it, takes the place of the first number.
  const end = Math.max(left - 8, textWidth(title, titleSize));
  const free = ticks.filter((tick) => title === '' || x(tick) - textWidth(format(tick), titleSize) / 2 > end);
  const axis = axisBottom(x)
    .tickValues(free)
    .tickFormat((value) => format(value.valueOf()))
    .tickSize(4)
    .tickPadding(5);
  drawing.append('g').attr('class', 'axis').attr('transform', `translate(0,${bottom})`).call(axis);
  if (title === '') return;
  drawing
    .append('text')
    .attr('class', 'axis-title')
    .attr('x', end)
    .attr('y', bottom + 17)
    .attr('text-anchor', 'end')
    .text(title);
}

/** The column of the epoch that a page looks at. */
export function drawLooked(
  drawing: Drawing,
  x: EpochScale,
  { top, bottom }: PlotFrame,
  epoch: number | null | undefined,
): void {
  const [low = 0, high = 0] = x.domain();
  if (epoch == null || epoch < low || epoch > high) return;
  const width = Math.max(2, columnWidth(x));
  drawing
    .append('rect')
    .attr('class', 'selected')
    .attr('x', x(epoch) - width / 2)
    .attr('width', width)
    .attr('y', top)
    .attr('height', bottom - top);
}

/** Values left of the plot, with hairlines across it and the unit above. */
export function drawValueAxis(
  drawing: Drawing,
  y: ScaleLinear<number, number>,
  { left, right, top }: PlotFrame,
  options: AxisWords,
): void {
  const axis = axisLeft(y)
    .tickValues(options.ticks)
    .tickFormat((value) => options.format(value.valueOf()))
    .tickSize(-(right - left))
    .tickPadding(8);
  drawing.append('g').attr('class', 'axis axis-grid').attr('transform', `translate(${left},0)`).call(axis);
  drawing
    .append('text')
    .attr('class', 'axis-title')
    .attr('x', 0)
    .attr('y', top - 12)
    .text(options.title);
}

/** A dashed line at the start of every epoch in which a setting changed; labelled where there is room. */
export function drawChanges(
  drawing: Drawing,
  x: EpochScale,
  changes: readonly ChangeMark[],
  { right, top, bottom }: PlotFrame,
  labelled: boolean,
): void {
  const byEpoch = [...Map.groupBy(changes, ({ epoch }) => epoch)].sort(([a], [b]) => a - b);
  const group: Group = drawing.append('g').attr('class', 'changes');
  let free = -Infinity;
  for (const [epoch, own] of byEpoch) {
    const at = x(epoch - 0.5);
    group
      .append('line')
      .attr('x1', at)
      .attr('x2', at)
      .attr('y1', labelled ? top - 8 : top)
      .attr('y2', bottom);
    const text = own.map((change) => change.text).join(', ');
    const width = textWidth(text, 11);
    const start = at + width > right ? at - width : at;
    if (!labelled || start < free) continue;
    free = start + width + 10;
    group
      .append('text')
      .attr('x', at + width > right ? at - 4 : at + 4)
      .attr('y', top - 1)
      .attr('text-anchor', at + width > right ? 'end' : 'start')
      .text(text);
  }
}

/** The line at the current reading position. @returns a function that moves it; null hides it */
export function cursorRule(
  drawing: Drawing,
  { top, bottom }: Pick<PlotFrame, 'top' | 'bottom'>,
): (x: number | null) => void {
  const rule = drawing.append('line').attr('class', 'cursor-rule').attr('y1', top).attr('y2', bottom);
  const move = (x: number | null): void => {
    rule.attr('display', x === null ? 'none' : null);
    if (x !== null) rule.attr('x1', x).attr('x2', x);
  };
  move(null);
  return move;
}
