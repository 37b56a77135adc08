/** The busy share of the endpoints' slots, epoch by epoch. */
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { lineChart } from '../../charts/lineChart.ts';
import { cell, pointsOf, type Context } from '../context.ts';
import { figure } from '../figure.ts';
import { slotLines, slotNote, slotReading } from './slotWords.ts';

/** Null where no endpoint has slots. */
export function slotFigure({ data, span }: Context): HTMLElement | null {
  const lines = slotLines(data.epochs);
  if (lines.length === 0) return null;
  const reading = slotReading(data.epochs, lines);
  const title = 'Slots busy';
  const chart = lineChart({
    ...{ name: 'Busy share of the endpoints’ slots by epoch', reading, unit: 'share of slots' },
    series: lines.map(({ value, ...look }) => ({ ...look, points: pointsOf(data.epochs, value) })),
    references: [],
    epochs: span,
    changes: data.changes,
    format: percent,
  });
  const twin = {
    columns: ['Epoch', ...lines.map(({ label }) => label)],
    rows: () => data.epochs.map((row) => [String(row.epoch), ...lines.map(({ value }) => cell(value(row), percent))]),
  };
  return figure({ id: 'slots', title, reading, chart: chart.node, twin, note: slotNote() });
}
