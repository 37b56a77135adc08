/** The results of a grid: every arm as a line through its values, and two fields as a map. */
import { scaleLinear, scalePoint } from 'd3';
import * as l10n from '@vscode/l10n';
import type { StudyResults } from '../../src/features/study/contract/page.ts';
import { saidValue } from '../../src/features/study/contract/saidValue.ts';
import { largest, smallest } from '../../src/shared/extremes.ts';
import { svg, toneOf } from './svg.ts';

const [width, height] = [900, 260];

const words = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function parallelCoordinates({ arms, grid, measures }: StudyResults): SVGElement {
  const [head] = measures;
  const fields = Object.keys(grid);
  const of = [...new Set(arms.map((arm) => arm.of))];
  const axes = [...(of.length > 1 ? [l10n.t('arm')] : []), ...fields];
  const results = arms.flatMap(({ cells }) => cells[0]?.mean ?? []);
  const name = head?.label ?? '';
  const across = scalePoint([...axes, name], [90, width - 90]);
  const last = scaleLinear(results.length === 0 ? [0, 1] : [smallest(results), largest(results)], [height - 20, 44]);
  const label = l10n.t('Every arm from its values to {0}', name);
  const chart = svg('svg', { class: 'plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  const scales = new Map(
    axes.map((axis) => {
      const values = fields.includes(axis) ? (grid[axis] ?? []).map(words) : of;
      return [axis, scalePoint(values, [height - 20, 44])] as const;
    }),
  );
  for (const [i, { of: arm, point, cells }] of arms.entries()) {
    const mean = cells[0]?.mean ?? null;
    if (mean === null) continue;
    const stops = axes.map((axis): [number, number] => {
      const value = fields.includes(axis) ? words(point[axis]) : arm;
      return [across(axis) ?? 0, scales.get(axis)?.(value) ?? 0];
    });
    const all = [...stops, [across(name) ?? 0, last(mean)]];
    const title = svg('title', {}, `${arms[i]?.name ?? ''}: ${head === undefined ? mean : saidValue(mean, head)}`);
    chart.append(
      svg(
        'path',
        { class: `mean ${toneOf(of.indexOf(arm))}`, d: `M${all.map((at) => at.join(',')).join('L')}` },
        title,
      ),
    );
  }
  // Above the lines, which would cross them.
  for (const axis of [...axes, name]) {
    const x = across(axis) ?? 0;
    chart.append(svg('line', { class: 'grid', x1: x, x2: x, y1: 40, y2: height - 16 }));
    chart.append(svg('text', { x, y: 20, 'text-anchor': 'middle', class: 'faint' }, axis));
    for (const value of scales.get(axis)?.domain() ?? []) {
      chart.append(svg('text', { x: x - 8, y: (scales.get(axis)?.(value) ?? 0) + 4, 'text-anchor': 'end' }, value));
    }
  }
  if (head !== undefined && results.length > 0) {
    for (const value of new Set([smallest(results), largest(results)])) {
      chart.append(svg('text', { x: (across(name) ?? 0) + 8, y: last(value) + 4 }, saidValue(value, head)));
    }
  }
  return chart;
}

/** Two fields of the grid; the mean over all others. Darker is more. */
export function heatMap({ arms, grid, measures }: StudyResults, [across, down]: readonly [string, string]): SVGElement {
  const [columns, rows] = [(grid[across] ?? []).map(words), (grid[down] ?? []).map(words)];
  const [head] = measures;
  const cells = rows.map((row) =>
    columns.map((column) => {
      const values = arms.flatMap(({ point, cells: [cell] }) =>
        words(point[across]) === column && words(point[down]) === row && cell?.mean != null ? [cell.mean] : [],
      );
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    }),
  );
  const known = cells.flat().filter((value) => value !== null);
  const size = { w: Math.min(110, 760 / Math.max(1, columns.length)), h: 34 };
  const [left, top] = [110, 44];
  const total = { w: left + size.w * columns.length + 12, h: top + size.h * rows.length + 10 };
  const label = l10n.t('{0} by {1} and {2}', head?.label ?? '', across, down);
  const chart = svg('svg', {
    ...{ class: 'plot heat', viewBox: `0 0 ${Math.max(width, total.w)} ${total.h}`, role: 'img', 'aria-label': label },
  });
  chart.append(
    svg('text', { x: left, y: 16, class: 'faint' }, across),
    svg('text', { x: 4, y: 36, class: 'faint' }, down),
  );
  for (const [c, column] of columns.entries()) {
    chart.append(svg('text', { x: left + size.w * (c + 0.5), y: 36, 'text-anchor': 'middle' }, column));
  }
  const shade = scaleLinear(known.length === 0 ? [0, 1] : [smallest(known), largest(known)], [0.06, 0.5]);
  for (const [r, row] of cells.entries()) {
    const y = top + size.h * r;
    chart.append(svg('text', { x: left - 8, y: y + 21, 'text-anchor': 'end' }, rows[r] ?? ''));
    for (const [c, value] of row.entries()) {
      const x = left + size.w * c;
      const opacity = value === null ? 0 : known.length < 2 ? 0.3 : shade(value);
      chart.append(svg('rect', { x, y, width: size.w - 2, height: size.h - 2, 'fill-opacity': opacity }));
      const text = value === null || head === undefined ? '–' : saidValue(value, head);
      chart.append(svg('text', { class: 'value', x: x + size.w / 2, y: y + 21, 'text-anchor': 'middle' }, text));
    }
  }
  return chart;
}
