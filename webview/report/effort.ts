/** Rejected texts, and where the time went. */
import type { EpochRow, Seconds } from '../../src/shared/report/data.ts';
import { defined } from '../../src/shared/defined.ts';
import { duration } from '../../src/shared/text/figures/durations.ts';
import { approximate, compact, count, number } from '../../src/shared/text/figures/numbers.ts';
import { lineChart } from '../charts/lineChart.ts';
import { stackChart } from '../charts/stackChart.ts';
import { cell, pointsOf, type Context } from './context.ts';
import { figure, missingFigure, policyFigure } from './figure.ts';
import { courseReading, rejectionReading, rejectionTotals, timeReading } from './readings.ts';
import { columns, section } from './section.ts';
import { lateNote } from './fellOut/lateNote.ts';
import { fellOutFigures } from './fellOut/fellOutFigures.ts';
import { moneyFigure } from './timeline/moneyFigure.ts';
import { slotFigure } from './timeline/slotFigure.ts';
import { timelineFigure } from './timeline/timelineFigure.ts';

export function effortSection(context: Context): HTMLElement {
  if (context.domain !== null) return section('effort', 'What did it take?', rejectionFigure(context));
  const timeline = timelineFigure(context);
  const slots = slotFigure(context);
  const money = moneyFigure(context);
  return section(
    'effort',
    'What did it take?',
    columns(
      rejectionFigure(context),
      timeFigure(context),
      throughputFigure(context),
      rolloutFigure(context),
      ...[slots, money].filter((one) => one !== null),
      ...fellOutFigures(context),
    ),
    ...(timeline === null ? [] : [timeline]),
  );
}

const causeWords: Record<string, string> = {
  unparseable: 'could not be read',
  schema: 'breaks the domain’s rules',
  gold: 'its own answer is wrong',
  plan: 'does not keep to its plan',
  duplicate: 'was written before',
  'held-out': 'equals a validation task',
  truncated: 'cut off before its end',
  'too-long': 'too long',
};

/** Rates to two digits, thousands as k, on axes and at line ends alike. */
const compactMeasure = (value: number): string => compact(Number(value.toPrecision(value >= 100 ? 3 : 2)));

/** More causes than these are drawn as one. */
const mostCauses = 5;

function rejectionFigure({ data, span }: Context): HTMLElement {
  const title = 'Texts that did not become tasks';
  const writing = data.epochs.filter(({ written }) => written > 0);
  if (writing.length === 0) {
    return missingFigure(
      'rejections',
      title,
      data.run.epochs === 0
        ? 'Nothing has been written yet.'
        : `In mode ${data.run.mode} nothing was written in these epochs.`,
    );
  }
  const totals = rejectionTotals(data.epochs);
  if (totals.length === 0)
    return missingFigure('rejections', title, 'None: every text the environment wrote became a task.');
  const drawn = totals.slice(0, mostCauses).map(({ cause, total }) => ({ causes: [cause], label: cause, total }));
  const rest = totals.slice(mostCauses);
  if (rest.length > 0) {
    const total = rest.reduce((sum, one) => sum + one.total, 0);
    drawn.push({ causes: rest.map(({ cause }) => cause), label: 'other', total });
  }
  const reading = rejectionReading(data.epochs);
  const chart = stackChart({
    name: 'Rejected texts by cause, by epoch',
    reading,
    unit: 'texts rejected',
    layers: drawn.map(({ label, total }, i) => ({
      label: `${label} ${count(total)}`,
      fill: `fill-environment-${i + 1}`,
    })),
    rows: writing.map(({ epoch, rejected }) => ({
      epoch,
      values: drawn.map(({ causes }) => causes.reduce((sum, cause) => sum + (rejected[cause] ?? 0), 0)),
    })),
    epochs: span,
    changes: data.changes,
    normalise: false,
    format: number,
    formatPart: count,
  });
  const twin = {
    columns: ['Epoch', 'Written', 'Accepted', ...totals.map(({ cause }) => `${cause}: ${causeWords[cause] ?? ''}`)],
    rows: () =>
      writing.map(({ epoch, written, accepted, rejected }) => [
        String(epoch),
        count(written),
        count(accepted),
        ...totals.map(({ cause }) => count(rejected[cause] ?? 0)),
      ]),
  };
  return figure({
    id: 'rejections',
    title,
    reading,
    chart: chart.node,
    twin,
    note: `${drawn
      .flatMap(({ causes }) => causes)
      .map((cause) => `${cause}: ${causeWords[cause] ?? cause}`)
      .join('; ')}.`,
  });
}

const phases: { key: Exclude<keyof Seconds, 'whole'>; label: string; fill: string }[] = [
  { key: 'generate', label: 'write tasks', fill: 'fill-environment-3' },
  { key: 'environment', label: 'update environment', fill: 'fill-environment-1' },
  { key: 'attempt', label: 'attempt tasks', fill: 'fill-agent-3' },
  { key: 'agent', label: 'update agent', fill: 'fill-agent' },
  { key: 'validate', label: 'validate', fill: 'fill-muted-2' },
  { key: 'other', label: 'everything else', fill: 'fill-muted' },
];

function timeFigure({ data, span }: Context): HTMLElement {
  const title = 'Time by phase';
  const totals = phases
    .map((phase) => ({ ...phase, seconds: data.epochs.reduce((sum, row) => sum + (row.seconds[phase.key] ?? 0), 0) }))
    .filter(({ seconds }) => seconds > 0);
  if (totals.length === 0) return missingFigure('time', title, 'No phase has finished yet.');
  const reading = timeReading(data.run.seconds, totals);
  const chart = stackChart({
    name: 'Seconds by phase, by epoch',
    reading,
    unit: 'seconds',
    layers: totals,
    rows: data.epochs.map(({ epoch, seconds }) => ({ epoch, values: totals.map(({ key }) => seconds[key] ?? 0) })),
    epochs: span,
    changes: data.changes,
    normalise: false,
    format: number,
    formatPart: duration,
  });
  const twin = {
    columns: ['Epoch', ...totals.map(({ label }) => label), 'on the clock'],
    rows: () =>
      data.epochs.map(({ epoch, seconds }) => [
        String(epoch),
        ...totals.map(({ key }) => cell(seconds[key], duration)),
        cell(seconds.whole, duration),
      ]),
  };
  const note =
    'The two updates run side by side and each is counted in full: where they overlap a bar stands for more than its epoch took.';
  return figure({ id: 'time', title, reading, chart: chart.node, twin, note });
}

const perSecond = (tokens: number | null, seconds: number | null): number | null =>
  seconds === null || seconds === 0 || tokens === null || tokens === 0 ? null : tokens / seconds;
const written = ({ tokens, seconds }: EpochRow): number | null => perSecond(tokens.generate, seconds.generate);
const attempted = ({ tokens, seconds }: EpochRow): number | null => perSecond(tokens.attempt, seconds.attempt);
const rollouts = ({ rollouts: n, seconds }: EpochRow): number | null => perSecond(n, seconds.attempt);

const throughputFigure = (context: Context): HTMLElement =>
  policyFigure(context, {
    ...{ id: 'throughput', title: 'Tokens sampled per second', unit: 'tokens/s', told: 'tokens/s' },
    ...{ agent: attempted, environment: written, format: compactMeasure, formatCell: approximate },
    missing: 'No rate can be given: no phase has finished yet.',
  });

function rolloutFigure({ data, span }: Context): HTMLElement {
  const title = 'Rollouts per second';
  const points = pointsOf(data.epochs, rollouts);
  if (points.length === 0) return missingFigure('rollouts', title, 'No rate can be given: no phase has finished yet.');
  const note = lateNote(data.epochs);
  const reading = courseReading(data.epochs, [
    { name: 'rollouts', unit: 'per second', value: rollouts, format: compactMeasure },
  ]);
  const chart = lineChart({
    name: 'Rollouts per second by epoch',
    reading,
    unit: 'rollouts/s',
    series: [{ label: 'agent', tone: 'agent', mark: 'circle', points }],
    references: [],
    epochs: span,
    changes: data.changes,
    format: compactMeasure,
  });
  const twin = {
    columns: ['Epoch', 'Rollouts', 'Per second', 'Cut off', 'Not valid', 'Checker failed', ...(note ? ['Late'] : [])],
    rows: () =>
      data.epochs.map((row) => [
        String(row.epoch),
        count(row.rollouts),
        cell(rollouts(row), approximate),
        count(row.truncated),
        count(row.invalid),
        count(row.checkerErrors),
        ...(note ? [count(row.late ?? 0)] : []),
      ]),
  };
  return figure({ id: 'rollouts', title, reading, chart: chart.node, twin, ...defined({ note }) });
}
