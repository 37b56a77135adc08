/** An evaluation's scores as people read them. */
import { paperFigures, protocolOf } from '../../../benchmarks/evaluate/paperFigures.ts';
import { isFault } from '../../../benchmarks/evaluate/unofficial.ts';
import { largest } from '../../../shared/extremes.ts';
import type { PassAtK } from '../../../shared/journal/scores.ts';
import type { Unanswered } from '../../../shared/journal/events.ts';
import type { ScoreDetail } from '../../../benchmarks/evaluate/scoreDetail.ts';
import type { AuthorsTotal, PartMean, ScoreRow, ScoreTable } from '../../../benchmarks/evaluate/scoreTable.ts';
import { mostlyDiffer, type EvaluationComparison } from '../node/compareEvaluations.ts';
import type { Evaluation } from '../node/evaluate.ts';
import type { IdleAnswers } from '../node/idleAnswers.ts';
import { countedParts } from '../../../shared/countedParts.ts';
import type { EvaluationSettings } from '../../../shared/records/evaluation.ts';
import { ends } from '../../../shared/text/figures/intervals.ts';
import { count, fixed, plural, precise } from '../../../shared/text/figures/numbers.ts';
import { percentToTenth, points } from '../../../shared/text/figures/shares.ts';
import { onOneLine, type Printable } from '../../../cli/text/styled.ts';
import { table, type Column } from '../../../cli/text/table.ts';
import { unofficialText } from './unofficial.ts';

/** The table, the authors' totals, and the paper's figures. */
export function evaluationLines(evaluation: Evaluation, scores: ScoreTable, columns: number): Printable[] {
  const { settings, tokens, unanswered, unjudged, unofficial, idle, cutOff } = evaluation;
  const { policy, judge, benchmark, tasks, attempts, sample } = settings;
  const drawn = sample === null ? '' : `, a sample by seed ${settings.seed}`;
  return [
    `${benchmark}: ${policy.version} (${policy.source}), ${plural(tasks, 'task')}${drawn}, ` +
      `${plural(attempts, 'attempt')} each at temperature ${settings.temperature}`,
    ...(judge === undefined ? [] : [`What is right was judged by ${judge.version} (${judge.source})`]),
    '',
    ...table(columnsOf(scores), scores.rows.length > 1 ? [...scores.rows, scores.all] : [scores.all], columns),
    ...scores.totals.map((total) => totalText(total, scores)),
    ...scores.parts.map(partText),
    ...(unanswered === undefined ? [] : [notAnswered(unanswered, evaluation)]),
    ...(unjudged === null
      ? []
      : [`${plural(unjudged.count, 'attempt')} not judged, and wrong: ${causesText(unjudged)}`]),
    ...(cutOff === 0 ? [] : [cutOffText(evaluation)]),
    ...(idle === undefined ? [] : idleLines(idle, settings)),
    ...unofficial.filter((why) => scores.totals.length > 0 || isFault(why)).map(unofficialText),
    ...(tokens === 0 ? [] : [`${count(tokens)} tokens of prompts and answers`]),
    ...scores.details.flatMap((detail) => ['', `${detail.name}:`, ...detailTable(detail, columns)]),
    ...paperLines(settings),
  ].map(onOneLine);
}

function cutOffText({ cutOff, outcomes, settings: { maxTokens } }: Evaluation): string {
  const answers = outcomes.reduce((sum, { attempts, errors }) => sum + attempts + errors, 0);
  return `${count(cutOff)} of ${plural(answers, 'answer')} cut off at ${count(maxTokens)} tokens (--max-tokens)`;
}

function totalText({ name, value, answered, missing }: AuthorsTotal, { all, unofficial }: ScoreTable): string {
  const some = answered === null ? '' : `of those answered ${percentToTenth(answered)}`;
  if (missing.length > 0) return `${name}: N/A, not run: ${missing.join(', ')}`;
  if (unofficial.length > 0) return `${name}: no official total, see below${some === '' ? '' : `; ${some}`}`;
  if (value === null) return `${name}: N/A`;
  const whole = all.attempts === all.asked;
  return `${name}, as its authors compute it: ${percentToTenth(value)}${whole || some === '' ? '' : `; ${some}`}`;
}

function partText({ name, value, answered }: PartMean): string {
  const shown = (mean: number): string => (countedParts.has(name) ? fixed(mean, 2) : percentToTenth(mean));
  const some = answered === null || answered === value ? '' : `; of those answered ${shown(answered)}`;
  return `mean of ${name}: ${shown(value)}${some}`;
}

function notAnswered(unanswered: Unanswered, { outcomes }: Evaluation): string {
  const tasks = outcomes.filter(({ asked, attempts, errors }) => attempts + errors < asked).map(({ task }) => task);
  return (
    `${plural(unanswered.count, 'attempt')} not answered, and wrong: ${causesText(unanswered)}` +
    (tasks.length === 0 ? '' : `; ${examplesText(tasks, tasks.length)}`)
  );
}

/** Each cause once, with how often it was. */
function causesText({ count: all, causes }: Unanswered): string {
  const others = all - causes.reduce((sum, one) => sum + one.count, 0);
  return [
    ...causes.map(({ cause, count: times }) => `${cause} (${count(times)})`),
    ...(others === 0 ? [] : [`other causes (${count(others)})`]),
  ].join('; ');
}

const shown = 3;

/** `a, b, c and 9 more`. */
function examplesText(names: readonly string[], all: number): string {
  const few = names.slice(0, shown);
  return all === few.length ? few.join(', ') : `${few.join(', ')} and ${count(all - few.length)} more`;
}

function idleLines({ unknown, beyond, examples, replaced }: IdleAnswers, { sample }: EvaluationSettings): string[] {
  const drawn = sample === null ? '' : ', or of tasks that were not drawn';
  return [
    ...(unknown === 0
      ? []
      : [`${plural(unknown, 'answer')} of the file under unknown ids${drawn}: ${examplesText(examples, unknown)}`]),
    ...(beyond === 0
      ? []
      : [`${plural(beyond, 'answer')} of the file to attempts that were not asked for: give --attempts`]),
    ...(replaced === 0 ? [] : [`${plural(replaced, 'answer')} of the file replaced by another of the same id below`]),
  ];
}

function columnsOf({ all, rows }: ScoreTable): Column<ScoreRow>[] {
  const whole = [all, ...rows].every(({ asked, attempts }) => asked === attempts);
  return [
    { title: 'category', cell: ({ category }) => category },
    { title: 'tasks', right: true, cell: ({ tasks }) => count(tasks) },
    { title: 'right', right: true, cell: ({ successes, asked }) => `${count(successes)}/${count(asked)}` },
    ...all.pass.map(({ k }, at): Column<ScoreRow> => ({
      title: `pass@${k} [95 %]`,
      right: true,
      cell: (row) => measured(row.pass[at]),
    })),
    ...(whole
      ? []
      : [
          { title: 'answered', right: true, cell: ({ attempts }: ScoreRow) => count(attempts) },
          { title: 'of those', right: true, cell: ({ answered }: ScoreRow) => percentToTenth(answered) },
        ]),
  ];
}

/** `56.0 % [47.2, 64.4]`. */
const measured = (one: PassAtK | undefined): string =>
  one === undefined || one.value === null
    ? '–'
    : `${percentToTenth(one.value)} ${ends(fixed(100 * one.low, 1), fixed(100 * one.high, 1))}`;

/** A column a group would be wider than most terminals: groups are the rows. */
function detailTable({ columns, rows }: ScoreDetail, width: number): Printable[] {
  const groups = largest(columns.map((name) => name.length));
  return besideEachOther(rows, width - groups).flatMap((some) =>
    table<number>(
      [
        { title: '', cell: (at) => columns[at] ?? '' },
        ...some.map(({ name, cells }): Column<number> => ({
          ...{ title: name, right: true },
          cell: (at) => {
            const { count: kept, of } = cells[at] ?? { count: 0, of: 0 };
            return of === 0 ? '–' : `${count(kept)}/${count(of)}`;
          },
        })),
      ],
      columns.map((_, at) => at),
      width,
    ),
  );
}

/** So many as fit into a line, and the others below. */
function besideEachOther<T extends { name: string }>(all: readonly T[], width: number): T[][] {
  const lines: T[][] = [];
  let left = 0;
  for (const one of all) {
    const wide = one.name.length + 2;
    const line = lines.at(-1);
    if (line !== undefined && wide <= left) line.push(one);
    else lines.push([one]);
    left = (line !== undefined && wide <= left ? left : width) - wide;
  }
  return lines;
}

function paperLines(settings: EvaluationSettings): string[] {
  const paper = paperFigures(protocolOf(settings));
  if (paper === null) return [];
  const { benchmark, protocol, differs, models } = paper;
  const source = 'arXiv 2512.19682, Table 1';
  if (models === null) {
    const why = differs === null ? '' : ` Here ${differs}, so that its figures do not stand beside these.`;
    return ['', `The paper (${source}) measured ${benchmark} by another protocol, ${protocol}.${why}`];
  }
  const figures = Object.entries(models).map(([model, value]) => `${model} ${fixed(value, 1)}`);
  return [
    '',
    `Paper-reported on ${benchmark}, % (${source}; ${protocol}):`,
    ...Array.from(
      { length: Math.ceil(figures.length / 4) },
      (_, i) => `  ${figures.slice(4 * i, 4 * i + 4).join(' · ')}`,
    ),
  ];
}

/** The difference with its interval, and by which method. */
export function comparisonLines(compared: EvaluationComparison): string[] {
  const { tasks, unshared, differing, first, second, answered, unfinished } = compared;
  const difference = (one: { difference: number; low: number; high: number }): string =>
    `B − A: ${points(one.difference)} points, 95 % [${points(one.low)}, ${points(one.high)}]`;
  const others = unshared === 0 ? '' : `; ${plural(unshared, 'task')} of one alone left out`;
  return [
    `${plural(tasks, 'task')} of both${others}`,
    ...(differing === 0 ? [] : [`${plural(differing, 'id')} of both left out: another task in A than in B`]),
    ...(mostlyDiffer(compared)
      ? ['Warning: most ids name another task in A than in B. Did the data change? Evaluate both on the same data.']
      : []),
    `pass@1: A ${percentToTenth(first)}, B ${percentToTenth(second)}`,
    difference(compared),
    compared.method === 'mcnemar'
      ? `${count(compared.gained)} gained, ${count(compared.lost)} lost: p = ${precise(compared.p, 2)} ` +
        '(McNemar’s exact test; interval of Bonett and Price)'
      : 'Interval by a bootstrap over tasks (percentiles of 10,000 resamples).',
    ...(answered === null
      ? []
      : [
          `What was not answered counts as wrong. Of the ${plural(answered.tasks, 'task')} that both answered: ` +
            `A ${percentToTenth(answered.first)}, B ${percentToTenth(answered.second)}; ${difference(answered)}`,
        ]),
    ...unfinished.map(
      (one) => `${one === 'first' ? 'A' : 'B'} has not come to its end: only what is there is compared; carry it on.`,
    ),
  ];
}
