/** A figure: title, one sentence that reads it, the chart, and the same numbers as a table. */
import type { EpochRow } from '../../src/shared/report/data.ts';
import { measure } from '../../src/shared/text/figures/numbers.ts';
import { lineChart } from '../charts/lineChart.ts';
import { element } from '../lib/element.ts';
import { prose } from '../lib/symbols.ts';
import { cell, pointsOf, type Context } from './context.ts';
import { courseReading } from './readings.ts';

export interface Twin {
  /** The first column heads its row. */
  columns: readonly string[];
  rows: () => readonly (readonly string[])[];
  /** A row's head, where it is more than its text. */
  head?: (text: string) => Node;
}

export interface FigureParts {
  id: string;
  title: string;
  reading: string;
  chart: Node;
  twin: Twin;
  /** A note beside the chart: missing data, omissions. */
  note?: string;
}

export function figure({ id, title, reading, chart, twin, note }: FigureParts): HTMLElement {
  const heading = `${id}-title`;
  return element(
    'figure',
    { id, 'aria-labelledby': heading },
    element('figcaption', {}, element('h3', { id: heading }, title), element('p', { class: 'reading' }, reading)),
    chart,
    ...(note === undefined ? [] : [element('p', { class: 'note' }, ...prose(note))]),
    tableTwin(title, twin),
  );
}

type Format = (value: number) => string;

export interface PolicyParts {
  id: string;
  title: string;
  /** Of the axis, and where they are, after the figures of the reading and the heads of columns. */
  unit: string;
  told?: string;
  agent: (row: EpochRow) => number | null;
  environment: (row: EpochRow) => number | null;
  format?: Format;
  formatCell?: Format;
  /** Why there is nothing to show. */
  missing: string;
}

/** A line a policy. */
export function policyFigure({ data, span }: Context, parts: PolicyParts): HTMLElement {
  const { id, title, unit, told = '', format = measure, formatCell = format } = parts;
  const agent = pointsOf(data.epochs, parts.agent);
  const environment = pointsOf(data.epochs, parts.environment);
  if (agent.length + environment.length === 0) return missingFigure(id, title, parts.missing);
  const reading = courseReading(data.epochs, [
    { name: 'agent', unit: told, value: parts.agent, format },
    { name: 'environment', unit: told, value: parts.environment, format },
  ]);
  const chart = lineChart({
    ...{ name: `${title} by epoch`, reading, unit, format },
    series: [
      { label: 'agent', tone: 'agent', mark: 'circle', points: agent },
      { label: 'environment', tone: 'environment', mark: 'square', dashed: true, points: environment },
    ],
    ...{ references: [], epochs: span, changes: data.changes },
  });
  const twin = {
    columns: ['Epoch', `Agent ${told}`.trim(), `Environment ${told}`.trim()],
    rows: () =>
      data.epochs.map((row) => [
        String(row.epoch),
        cell(parts.agent(row), formatCell),
        cell(parts.environment(row), formatCell),
      ]),
  };
  return figure({ id, title, reading, chart: chart.node, twin });
}

/** In place of a figure whose numbers this run does not have. */
export function missingFigure(id: string, title: string, why: string): HTMLElement {
  const heading = `${id}-title`;
  return element(
    'figure',
    { id, class: 'missing', 'aria-labelledby': heading },
    element('figcaption', {}, element('h3', { id: heading }, title)),
    element('p', { class: 'missing-text' }, why),
  );
}

/** Filled when it is opened: most tables of a report are never looked at. */
export function tableTwin(title: string, twin: Twin): HTMLDetailsElement {
  const details = element(
    'details',
    { class: 'twin' },
    element('summary', {}, 'Table', element('span', { class: 'sr-only' }, ` of ${title}`)),
  );
  details.addEventListener('toggle', () => {
    if (details.open && details.querySelector('table') === null) details.append(scrollable(title, table(twin)));
  });
  return details;
}

export function table({ columns, rows, head: headOf }: Twin): HTMLTableElement {
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, ...prose(column))));
  const body = rows().map((row) =>
    element(
      'tr',
      {},
      ...row.map((cell, i) =>
        i === 0 ? element('th', { scope: 'row' }, headOf?.(cell) ?? cell) : element('td', {}, cell),
      ),
    ),
  );
  return element('table', {}, element('thead', {}, head), element('tbody', {}, ...body));
}

/** Wide or long tables scroll in their own box, which the keyboard can reach. */
export function scrollable(label: string, content: Node): HTMLElement {
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table of ${label}` }, content);
}
