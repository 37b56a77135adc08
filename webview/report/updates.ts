/** The policies' movement, and the data of the environment's updates. */
import type { ReportData } from '../../src/shared/report/data.ts';
import { measure, nats, number, plural } from '../../src/shared/text/figures/numbers.ts';
import { lineChart, type LineSeries } from '../charts/lineChart.ts';
import { element } from '../lib/element.ts';
import { cell, frozenEnvironment, pointsOf, type Context } from './context.ts';
import { figure, missingFigure, tableTwin } from './figure.ts';
import { courseReading, keptReading, updateReading } from './readings.ts';
import { mismatchFigure } from './mismatch/mismatchFigure.ts';
import { columns, section } from './section.ts';

export function updatesSection(context: Context): HTMLElement {
  return section(
    'updates',
    'How did the policies move?',
    columns(
      startFigure(context),
      stepFigure(context),
      mismatchFigure(context),
      keptFigure(context),
      skipFigure(context.data),
    ),
  );
}

const agentLine = (points: LineSeries['points']): LineSeries => ({
  label: 'agent',
  tone: 'agent',
  mark: 'circle',
  points,
});
const environmentLine = (points: LineSeries['points']): LineSeries => ({
  label: 'environment',
  tone: 'environment',
  mark: 'square',
  dashed: true,
  points,
});

function startFigure({ data, span }: Context): HTMLElement {
  const title = 'Distance from where they started';
  const agent = pointsOf(data.epochs, ({ agent: { klInitial } }) => klInitial);
  const environment = pointsOf(data.epochs, ({ environment: { klInitial } }) => klInitial);
  if (agent.length + environment.length === 0) {
    return missingFigure('kl-start', title, 'No divergence from the initial policies has been measured.');
  }
  const reading = courseReading(data.epochs, [
    { name: 'agent', unit: 'nats per token', value: (row) => row.agent.klInitial, format: nats },
    { name: 'environment', unit: 'nats per token', value: (row) => row.environment.klInitial, format: nats },
  ]);
  const chart = lineChart({
    name: 'KL divergence from the initial policies by epoch',
    reading,
    unit: 'KL, nats per token',
    series: [agentLine(agent), environmentLine(environment)],
    references: capLines(data.caps.total, data.caps.since.total),
    epochs: span,
    changes: data.changes,
    format: nats,
  });
  const twin = {
    columns: ['Epoch', 'Agent', 'Environment'],
    rows: () =>
      data.epochs.map((row) => [
        String(row.epoch),
        cell(row.agent.klInitial, nats),
        cell(row.environment.klInitial, nats),
      ]),
  };
  return figure({ id: 'kl-start', title, reading, chart: chart.node, twin, ...frozenNote(data) });
}

/** @param since the epoch from which on it is in force, where there was another before */
const capLines = (cap: number | null, since: number | null) =>
  cap === null
    ? []
    : [{ label: `environment cap ${number(cap)}${since === null ? '' : ` from epoch ${since}`}`, value: cap }];

function stepFigure({ data, span }: Context): HTMLElement {
  const title = 'Size of one update';
  const agent = pointsOf(data.epochs, ({ agent: { klUpdate } }) => klUpdate);
  const environment = pointsOf(data.epochs, ({ environment: { klUpdate } }) => klUpdate);
  if (agent.length + environment.length === 0) return missingFigure('kl-update', title, 'No policy has been updated.');
  const reading = data.run.trains.environment
    ? updateReading(data.epochs, data.caps)
    : courseReading(data.epochs, [
        { name: 'agent', unit: 'nats per token', value: (row) => row.agent.klUpdate, format: nats },
      ]);
  const chart = lineChart({
    name: 'KL divergence of each update by epoch',
    reading,
    unit: 'KL, nats per token',
    series: [agentLine(agent), environmentLine(environment)],
    references: environment.length === 0 ? [] : capLines(data.caps.update, data.caps.since.update),
    epochs: span,
    changes: data.changes,
    format: nats,
  });
  const twin = {
    columns: ['Epoch', 'Agent', 'Environment', 'Environment steps', 'Stopped by'],
    rows: () =>
      data.epochs.map(({ epoch, agent: own, environment: other }) => [
        String(epoch),
        cell(own.klUpdate, nats),
        cell(other.klUpdate, nats),
        cell(other.steps, measure),
        other.stoppedBy ?? '—',
      ]),
  };
  return figure({ id: 'kl-update', title, reading, chart: chart.node, twin, ...frozenNote(data) });
}

function keptFigure({ data, span }: Context): HTMLElement {
  const trained = data.run.trains.environment;
  const title = trained ? 'Families that teach the environment' : 'Families that pass the difficulty filter';
  const scored = data.epochs.filter(({ successRate }) => successRate !== null);
  if (scored.length === 0) return missingFigure('kept', title, 'No epoch has been measured yet.');
  const reading = keptReading(data.epochs, trained);
  const skipped = data.epochs.filter(({ environment }) => environment.skipped !== null);
  const chart = lineChart({
    name: 'Families measured, kept and effective by epoch',
    reading,
    unit: 'families',
    series: [
      { label: 'measured', tone: 'muted', mark: 'circle', points: pointsOf(scored, ({ families }) => families) },
      {
        label: 'kept',
        tone: 'environment',
        mark: 'square',
        points: pointsOf(scored, ({ familiesKept }) => familiesKept),
      },
      {
        label: 'effective',
        tone: 'ink',
        mark: 'diamond',
        dashed: true,
        points: pointsOf(scored, ({ effectiveSampleSize }) => effectiveSampleSize),
      },
    ],
    references: [],
    epochs: span,
    changes: data.changes,
    crosses: { epochs: skipped.map(({ epoch }) => epoch), label: '× update skipped' },
    format: measure,
  });
  const twin = {
    columns: ['Epoch', 'Measured', 'Kept', 'Effective sample size', 'Environment update'],
    rows: () =>
      scored.map((row) => [
        String(row.epoch),
        String(row.families),
        String(row.familiesKept),
        cell(row.effectiveSampleSize, measure),
        row.environment.skipped ?? (row.environment.steps === null ? 'none' : 'made'),
      ]),
  };
  const crossed = skipped.length === 0 ? '' : ' × marks epochs whose update was skipped.';
  const note = `Effective sample size (Σw)²/Σw²: how many equally weighted families the update was worth.${crossed}`;
  return figure({ id: 'kept', title, reading, chart: chart.node, twin, note });
}

/** Why updates were skipped, in words: there are few reasons, so a list says more than a chart. */
function skipFigure(data: ReportData): HTMLElement {
  const title = 'Environment updates that were skipped';
  const frozen = frozenEnvironment(data);
  if (frozen !== null) return missingFigure('skips', title, frozen);
  if (!data.epochs.some(({ environment }) => environment.steps !== null || environment.skipped !== null)) {
    return missingFigure('skips', title, 'No update of the environment has been due yet.');
  }
  if (data.skips.length === 0) return missingFigure('skips', title, 'None: every epoch updated the environment.');
  const total = data.skips.reduce((sum, { epochs }) => sum + epochs.length, 0);
  const items = data.skips.map(({ reason, example, epochs }) =>
    element(
      'li',
      {},
      element('strong', {}, `${epochs.length} ×`),
      ` ${epochs.length === 1 ? example : reason} `,
      element('span', { class: 'quiet' }, epochList(epochs)),
    ),
  );
  const heading = 'skips-title';
  return element(
    'figure',
    { id: 'skips', 'aria-labelledby': heading },
    element(
      'figcaption',
      {},
      element('h3', { id: heading }, title),
      element(
        'p',
        { class: 'reading' },
        `${plural(total, 'update')} skipped, for ${plural(data.skips.length, 'reason')}.`,
      ),
    ),
    element('ul', { class: 'reasons' }, ...items),
    tableTwin(title, {
      columns: ['Epoch', 'Reason'],
      rows: () =>
        data.epochs.flatMap(({ epoch, environment }) =>
          environment.skipped === null ? [] : [[String(epoch), environment.skipped]],
        ),
    }),
  );
}

function epochList(epochs: readonly number[]): string {
  const shown = epochs.slice(0, 12).join(', ');
  return `epoch${epochs.length === 1 ? '' : 's'} ${shown}${epochs.length > 12 ? `, … (${epochs.length})` : ''}`;
}

function frozenNote(data: ReportData): { note?: string } {
  const frozen = frozenEnvironment(data);
  if (frozen !== null) return { note: frozen };
  return data.run.trains.agent ? {} : { note: 'The agent is frozen in this run.' };
}
