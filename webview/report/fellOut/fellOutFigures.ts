/** Groups that fell out, epoch by epoch, and how long their answers were expected to be. */
import { count } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { lineChart } from '../../charts/lineChart.ts';
import { cell, pointsOf, type Context } from '../context.ts';
import { figure } from '../figure.ts';
import { courseReading } from '../readings.ts';
import { fellOutLines } from './fellOutLines.ts';
import { fellOutNote, fellOutReading } from './fellOutWords.ts';

/** None where nothing fell out; one before any length is known. */
export function fellOutFigures(context: Context): HTMLElement[] {
  const { epochs } = context.data;
  if (epochs.every(({ fellOut }) => fellOut === undefined)) return [];
  const known = epochs.some(({ fellOut }) => fellOut?.expected !== undefined);
  return [sharesFigure(context), ...(known ? [lengthsFigure(context)] : [])];
}

function sharesFigure({ data, span }: Context): HTMLElement {
  const reading = fellOutReading(data.epochs);
  const title = 'Groups that fell out';
  const chart = lineChart({
    ...{ name: 'Share of groups and tokens that fell out by epoch', reading, unit: 'share' },
    series: fellOutLines().map(({ value, ...look }) => ({ ...look, points: pointsOf(data.epochs, value) })),
    ...{ references: [], epochs: span, changes: data.changes, format: percent },
  });
  const twin = {
    columns: ['Epoch', 'Groups', 'Of', 'Attempts', 'Tokens', 'Share of tokens'],
    rows: () =>
      data.epochs.map(({ epoch, fellOut, tokens }) => [
        String(epoch),
        cell(fellOut?.groups, count),
        cell(fellOut?.of, count),
        cell(fellOut?.attempts, count),
        cell(fellOut?.tokens, count),
        cell(fellOut && fellOut.tokens / Math.max(1, tokens.attempt ?? 0), percent),
      ]),
  };
  const note = `${fellOutNote()} Tokens of attempts that were ended under way are estimated by the mean of the recorded ones.`;
  return figure({ id: 'fell-out', title, reading, chart: chart.node, twin, note });
}

function lengthsFigure({ data, span }: Context): HTMLElement {
  const sides = [
    { side: 'counted', label: 'count', tone: 'agent', mark: 'circle', dashed: false },
    { side: 'dropped', label: 'fell out', tone: 'muted', mark: 'square', dashed: true },
  ] as const;
  const lines = sides.map(({ side, ...look }) => ({
    ...look,
    value: ({ fellOut }: Context['data']['epochs'][number]) => fellOut?.expected?.[side] ?? null,
  }));
  const reading = courseReading(
    data.epochs.filter(({ fellOut }) => fellOut?.expected !== undefined),
    lines.map(({ label, value }) => ({ name: `groups that ${label}`, unit: 'tokens', value, format: count })),
  );
  const title = 'Length expected of answers';
  const chart = lineChart({
    ...{ name: 'Tokens expected of an answer by epoch', reading, unit: 'tokens' },
    series: lines.map(({ value, ...look }) => ({ ...look, points: pointsOf(data.epochs, value) })),
    ...{ references: [], epochs: span, changes: data.changes, format: count },
  });
  const twin = {
    columns: ['Epoch', 'In groups that count', 'In groups that fell out'],
    rows: () => data.epochs.map((row) => [String(row.epoch), ...lines.map(({ value }) => cell(value(row), count))]),
  };
  const note = 'By the mean answers to the same base tasks in the eight epochs before.';
  return figure({ id: 'fell-out-lengths', title, reading, chart: chart.node, twin, note });
}
