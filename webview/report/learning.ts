/** The agent's learning, and the groups that it could learn from. */
import type { Groups, ValidationRow } from '../../src/shared/report/data.ts';
import { domainsIn, validationOfDomain } from '../../src/shared/report/oneDomain.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { count, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent, signed } from '../../src/shared/text/figures/shares.ts';
import { lineChart } from '../charts/lineChart.ts';
import { stackChart } from '../charts/stackChart.ts';
import { cell, pointsOf, type Context } from './context.ts';
import { domainLook } from './domainLook.ts';
import { figure, missingFigure } from './figure.ts';
import { passKs, passLines } from './passLines.ts';
import { baselineOf, evaluationReading, groupsReading, validationReading } from './readings.ts';
import { columns, section } from './section.ts';

export function learningSection(context: Context): HTMLElement {
  if (context.domain !== null) return section('learning', 'Did the agent learn?', validationFigure(context));
  const measured = context.data.evaluations.length === 0 ? [] : [evaluationFigure(context)];
  return section(
    'learning',
    'Did the agent learn?',
    columns(validationFigure(context), groupsFigure(context)),
    ...measured,
  );
}

function validationFigure({ data, span }: Context): HTMLElement {
  const title = 'Validation on held-out tasks';
  const last = data.validation.at(-1);
  const first = last && baselineOf(data.validation, last);
  if (first?.successRate.p == null) {
    const why =
      data.run.validationEvery === 0
        ? 'This run has no validation: validation.every is 0, so nothing is known of how the agent does on held-out tasks.'
        : 'The agent has not been validated yet.';
    return missingFigure('validation', title, why);
  }
  const reading = validationReading(data.validation);
  const points = data.validation.flatMap(({ epoch, successRate: { p, low, high } }) =>
    p === null ? [] : [{ epoch, value: p, low, high }],
  );
  const base = first.epoch === 0 ? 'start' : `epoch ${first.epoch}`;
  const domains = domainsIn(data.validation);
  const ofDomain = (row: ValidationRow, domain: string): number | null =>
    validationOfDomain(row, domain)?.successRate.p ?? null;
  const chart = lineChart({
    name: 'Success on held-out tasks by epoch',
    reading,
    unit: 'success rate',
    series: [
      { label: 'agent', tone: 'agent', mark: 'circle', points },
      ...domains.map((domain, i) => ({
        ...domainLook(domain, i),
        points: pointsOf(data.validation, (row) => ofDomain(row, domain)),
      })),
    ],
    references: [{ label: `${base} ${rate(first.successRate.p)}`, value: first.successRate.p }],
    epochs: span,
    changes: data.changes,
    format: rate,
  });
  const twin = {
    columns: [
      ...[
        'Epoch',
        'Success rate',
        '95 % interval',
        'Solved',
        'Cut off',
        'Gained',
        'Lost',
        'Points against the first measured alike',
      ],
      ...domains,
    ],
    rows: () =>
      data.validation.map((row) => {
        const { epoch, successRate, truncated, change } = row;
        return [
          String(epoch),
          cell(successRate.p, rate),
          interval(successRate.low, successRate.high),
          `${successRate.successes} of ${successRate.attempts}`,
          cell(truncated, count),
          cell(change?.gained, count),
          cell(change?.lost, count),
          change === null
            ? '—'
            : `${signed(100 * change.difference, 1)} (${signed(100 * change.low, 1)} to ${signed(100 * change.high, 1)})`,
          ...domains.map((domain) => cell(ofDomain(row, domain), rate)),
        ];
      }),
  };
  return figure({ id: 'validation', title, reading, chart: chart.node, twin });
}

function evaluationFigure({ data, span }: Context): HTMLElement {
  const { evaluations } = data;
  const reading = evaluationReading(evaluations);
  const ks = passKs(evaluations);
  const name = evaluations[0]?.benchmark ?? '';
  const chart = lineChart({
    name: `Success on ${name} by epoch`,
    reading,
    unit: 'pass@k',
    series: passLines(evaluations),
    references: [],
    epochs: span,
    changes: data.changes,
    format: rate,
  });
  const twin = {
    columns: ['Epoch', 'Tasks', 'Attempts a task', 'Cut off', ...ks.flatMap((k) => [`pass@${k}`, '95 % interval'])],
    rows: () =>
      evaluations.map(({ epoch, tasks, attempts, truncated, pass }) => [
        String(epoch),
        count(tasks),
        count(attempts),
        cell(truncated, count),
        ...ks.flatMap((k) => {
          const one = pass.find((own) => own.k === k);
          return one === undefined ? ['—', '—'] : [cell(one.value, rate), interval(one.low, one.high)];
        }),
      ]),
  };
  return figure({ id: 'evaluation', title: `Evaluation on ${name}`, reading, chart: chart.node, twin });
}

const kinds: { key: keyof Groups; label: string; fill: string }[] = [
  { key: 'hopeless', label: 'alike, not solved', fill: 'fill-muted' },
  { key: 'trained', label: 'rewards differ', fill: 'fill-agent-2' },
  { key: 'solved', label: 'alike, solved', fill: 'fill-agent-3' },
  { key: 'broken', label: 'not judged', fill: 'fill-ink' },
];

function groupsFigure({ data, span }: Context): HTMLElement {
  const title = 'What the agent could learn from';
  const rows = data.epochs.flatMap(({ epoch, groups }) => (groups === null ? [] : [{ epoch, groups }]));
  if (rows.length === 0) {
    const why = data.run.trains.agent
      ? 'No update of the agent has been recorded yet.'
      : 'The agent is frozen in this run (agent.train is false): its attempts measure difficulty only.';
    return missingFigure('groups', title, why);
  }
  const used = kinds.filter(({ key }) => rows.some(({ groups }) => groups[key] > 0));
  const reading = groupsReading(data.epochs);
  const chart = stackChart({
    name: 'Attempt groups by what they can teach, by epoch',
    reading,
    unit: 'share of attempt groups',
    layers: used,
    rows: rows.map(({ epoch, groups }) => ({ epoch, values: used.map(({ key }) => groups[key]) })),
    epochs: span,
    changes: data.changes,
    normalise: true,
    format: percent,
    formatPart: count,
  });
  const twin = {
    columns: ['Epoch', ...used.map(({ label }) => label), 'Agent update'],
    rows: () =>
      data.epochs
        .filter(({ groups }) => groups !== null)
        .map(({ epoch, groups, agent }) => [
          String(epoch),
          ...used.map(({ key }) => cell(groups?.[key], count)),
          agent.skipped ?? 'made',
        ]),
  };
  const skipped = data.epochs.filter(({ agent }) => agent.skipped !== null).length;
  const note = skipped === 0 ? {} : { note: `${skipped} agent updates were skipped; the table says why.` };
  return figure({ id: 'groups', title, reading, chart: chart.node, twin, ...note });
}
