/** An evaluation's scores as people read them. */
import { paperFigures } from '../../benchmarks/evaluate/paperFigures.ts';
import type { PassAtK } from '../../shared/journal/events.ts';
import type { ScoreRow, ScoreTable } from '../../benchmarks/evaluate/scoreTable.ts';
import type { EvaluationComparison } from '../../launch/evaluate/compareEvaluations.ts';
import type { Evaluation } from '../../launch/evaluate/evaluate.ts';
import { count, percent, plural } from '../text/numbers.ts';
import { splitSummary } from './splitSummary.ts';
import { table, type Column } from '../text/table.ts';

/** The table, the authors' totals, and what the paper reports. */
export function evaluationLines(evaluation: Evaluation, scores: ScoreTable, columns: number): string[] {
  const { settings, tokens, unanswered, problems, partial } = evaluation;
  const { policy, judge, benchmark, tasks, attempts, sample } = settings;
  const drawn = sample === null ? '' : `, a sample by seed ${settings.seed}`;
  const missing = unanswered?.count ?? 0;
  const lines = [
    `${benchmark}: ${policy.version} (${policy.source}), ${plural(tasks, 'task')}${drawn}, ` +
      `${plural(attempts, 'attempt')} each at temperature ${settings.temperature}`,
    ...(judge === undefined ? [] : [`What is right was judged by ${judge.version} (${judge.source})`]),
    '',
    ...table(columnsOf(scores.all), scores.rows.length > 1 ? [...scores.rows, scores.all] : [scores.all], columns),
    ...scores.totals.map(({ name, value, missing: without }) =>
      value === null
        ? `${name}: N/A, not run: ${without.join(', ')}`
        : `${name}, as its authors compute it: ${percent(value)}`,
    ),
    ...Object.entries(scores.parts).map(([name, value]) => `mean of ${name}: ${percent(value)}`),
    ...(missing === 0 ? [] : [`${plural(missing, 'attempt')} not answered, and not counted: ${causesOf(evaluation)}`]),
    ...(scores.errors === 0 ? [] : [`${plural(scores.errors, 'attempt')} could not be judged, and not counted`]),
    ...(problems.length === 0 ? [] : [`${plural(problems.length, 'problem')} of the data: see genenv check-adapter`]),
    ...partial.map((split) => `The data is not whole: ${splitSummary(split)}`),
    ...(tokens === 0 ? [] : [`${count(tokens)} tokens of prompts and answers`]),
    ...paperLines(settings.rule),
  ];
  return lines;
}

const causesOf = ({ unanswered }: Evaluation): string =>
  (unanswered?.causes ?? []).map(({ cause, count: times }) => `${cause} (${count(times)})`).join('; ');

function columnsOf({ pass }: ScoreRow): Column<ScoreRow>[] {
  return [
    { title: 'category', cell: ({ category }) => category },
    { title: 'tasks', right: true, cell: ({ tasks }) => count(tasks) },
    { title: 'right', right: true, cell: ({ successes, attempts }) => `${count(successes)}/${count(attempts)}` },
    ...pass.map(({ k }, at): Column<ScoreRow> => ({
      title: `pass@${k} [95 %]`,
      right: true,
      cell: (row) => measured(row.pass[at]),
    })),
  ];
}

/** `56.0 % [47.2, 64.4]`. */
const measured = (one: PassAtK | undefined): string =>
  one === undefined || one.value === null
    ? '–'
    : `${percent(one.value)} [${(100 * one.low).toFixed(1)}, ${(100 * one.high).toFixed(1)}]`;

function paperLines(rule: string): string[] {
  const paper = paperFigures(rule);
  if (paper === null) return [];
  const models = Object.entries(paper.models).map(([model, value]) => `${model} ${value.toFixed(1)}`);
  return [
    '',
    `Paper-reported on ${paper.benchmark}, % (arXiv 2512.19682, Table 1; ${paper.protocol}):`,
    ...Array.from(
      { length: Math.ceil(models.length / 4) },
      (_, i) => `  ${models.slice(4 * i, 4 * i + 4).join(' · ')}`,
    ),
  ];
}

/** The difference with its interval, and by which method. */
export function comparisonLines(compared: EvaluationComparison): string[] {
  const { tasks, unshared, first, second, difference, low, high } = compared;
  const points = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`;
  const others = unshared === 0 ? '' : `; ${plural(unshared, 'task')} of one alone left out`;
  return [
    `${plural(tasks, 'task')} of both${others}`,
    `pass@1: A ${percent(first)}, B ${percent(second)}`,
    `B − A: ${points(difference)} points, 95 % [${points(low)}, ${points(high)}]`,
    compared.method === 'mcnemar'
      ? `${count(compared.gained)} gained, ${count(compared.lost)} lost: p = ${compared.p.toPrecision(2)} ` +
        '(McNemar’s exact test; interval of Bonett and Price)'
      : 'Interval by a bootstrap over tasks (percentiles of 10,000 resamples).',
  ];
}
