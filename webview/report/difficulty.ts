/** Whether tasks got harder: their complexity, their length, and the length of answers. */
import type { EpochRow } from '../../src/shared/report/data.ts';
import { measure } from '../../src/shared/text/figures/numbers.ts';
import { lineChart, type LineSeries } from '../charts/lineChart.ts';
import { panelChart } from '../charts/panelChart.ts';
import { cell, pointsOf, type Context } from './context.ts';
import { figure, missingFigure } from './figure.ts';
import { courseReading } from './readings.ts';
import { columns, section } from './section.ts';

export function difficultySection(context: Context): HTMLElement {
  return section(
    'difficulty',
    'Did the tasks change?',
    complexityFigure(context),
    columns(
      lengthFigure(context, {
        id: 'task-length',
        title: 'Length of a task',
        series: { label: 'tasks', tone: 'environment', mark: 'square', points: [] },
        value: ({ taskLength }) => taskLength,
      }),
      lengthFigure(context, {
        id: 'answer-length',
        title: 'Length of an answer',
        series: { label: 'answers', tone: 'agent', mark: 'circle', points: [] },
        value: ({ answerLength }) => answerLength,
      }),
    ),
  );
}

function complexityFigure({ data, span }: Context): HTMLElement {
  const names = [...new Set(data.epochs.flatMap(({ complexity }) => Object.keys(complexity)))];
  const title = 'Complexity of the tasks';
  if (names.length === 0)
    return missingFigure(
      'complexity',
      title,
      data.run.epochs === 0
        ? 'No epoch has been measured yet.'
        : 'The tasks of this run carry no numbers of complexity.',
    );
  const valueOf =
    (name: string) =>
    ({ complexity }: EpochRow): number | null =>
      complexity[name] ?? null;
  const reading = courseReading(
    data.epochs,
    names.map((name) => ({ name, unit: '', value: valueOf(name) })),
  );
  const chart = panelChart({
    name: 'Complexity numbers by epoch',
    reading,
    panels: names.map((name) => ({
      title: name,
      tone: 'environment',
      points: pointsOf(data.epochs, valueOf(name)),
      format: measure,
    })),
    epochs: span,
  });
  const twin = {
    columns: ['Epoch', ...names],
    rows: () =>
      data.epochs.map((row) => [String(row.epoch), ...names.map((name) => cell(row.complexity[name], measure))]),
  };
  return figure({
    id: 'complexity',
    title,
    reading,
    chart: chart.node,
    twin,
    note: 'Means per task over the epoch’s families, each panel on its own scale from 0.',
  });
}

interface LengthParts {
  id: string;
  title: string;
  series: LineSeries;
  value: (row: EpochRow) => number | null;
}

function lengthFigure({ data, span }: Context, { id, title, series, value }: LengthParts): HTMLElement {
  const points = pointsOf(data.epochs, value);
  if (points.length === 0) {
    return missingFigure(
      id,
      title,
      data.run.epochs === 0 ? 'No epoch has been measured yet.' : `Not measured in mode ${data.run.mode}.`,
    );
  }
  const reading = courseReading(data.epochs, [{ name: series.label, unit: 'tokens', value }]);
  const chart = lineChart({
    name: `${title} by epoch`,
    reading,
    unit: 'tokens, mean',
    series: [{ ...series, points }],
    references: [],
    epochs: span,
    changes: data.changes,
    format: measure,
  });
  const twin = {
    columns: ['Epoch', 'Mean tokens'],
    rows: () => points.map((point) => [String(point.epoch), measure(point.value)]),
  };
  return figure({ id, title, reading, chart: chart.node, twin });
}
