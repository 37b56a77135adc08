import type { RescoredRun } from '../node/rescoreRun.ts';
import type { Mean } from '../core/meanInterval.ts';
import type { Flip } from '../contract/rejudged.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { onOneLine, type Printable } from '../../../cli/text/styled.ts';
import { table } from '../../../cli/text/table.ts';
import { intervalOf } from '../../../shared/text/figures/intervals.ts';
import { count, inColumn, plural, rate } from '../../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../../shared/text/figures/shares.ts';

interface Row {
  what: string;
  before: string;
  after: string;
}

/** A run under its recorded verdicts, and under a reward's. */
export function rescoreLines({ summary: rescored, leftOut }: RescoredRun): Printable[] {
  const { attempts, fates, families, inBand, familiesKept, advantages, weightMoved, entered, left } = rescored;
  const rows: Row[] = [
    ...(['solved', 'failed', 'error'] as const).map((fate) =>
      row(
        fate,
        count,
        of(fates, (side) => side[fate]),
      ),
    ),
    row('p̂ of families', measuredRate, rescored.successRate),
    row('p̂ mixed in', measuredRate, rescored.baseSuccessRate),
    row('p̂ validation', measuredRate, rescored.validation),
    row('R_env', measuredMean, rescored.environmentReward),
    row(`in band, of ${count(families)}`, count, inBand),
    row('kept', known(count), familiesKept),
    row('eff. n', known(inColumn), rescored.effectiveSampleSize),
    row('groups that teach', count, advantages.groups),
  ];
  const { turned, gained, lost, moved } = advantages;
  const mean = advantages.attempts === 0 ? 0 : moved / advantages.attempts;
  return [
    ...table<Row>(
      [
        { title: '', cell: ({ what }) => what },
        { title: 'recorded', cell: ({ before }) => before, right: true },
        { title: 'rescored', cell: ({ after }) => after, right: true },
      ],
      rows,
    ),
    '',
    `Advantages (GRPO): ${count(turned)} of ${count(advantages.attempts)} change sign, ${count(gained)} come up, ` +
      `${count(lost)} vanish; mean change ${inColumn(mean)}.`,
    weightMoved === null
      ? 'R_env, families kept and weights (RWR) are not known: the file of curriculum.reward.kind "file" is not asked again.'
      : `Weights (RWR): ${percentToTenth(weightMoved)} go to other families.`,
    ...named('enter the band', entered),
    ...named('leave the band', left),
    ...(rescored.cutOff === 0
      ? []
      : [
          `${plural(rescored.cutOff, 'family was', 'families were')} cut off by the recorded verdicts: p̂ of both is of the attempts made.`,
        ]),
    ...(leftOut === 0 ? [] : [`${plural(leftOut, 'attempt')} left out: their tasks are not recorded.`]),
    `${plural(attempts, 'attempt')}: ${plural(rescored.flips, 'flip')}, ` +
      `${count(rescored.rewardsMoved)} with another reward alone.`,
  ].map(onOneLine);
}

/** The flips that are shown, of all. */
export function flipLines(flips: readonly Flip[], all: number, width: number): Printable[] {
  if (flips.length === 0) return [];
  const rows = table<Flip>(
    [
      { title: 'trace', cell: ({ id }) => id },
      { title: 'recorded', cell: ({ fate }) => fate.before },
      { title: 'rescored', cell: ({ fate }) => fate.after },
      { title: 'reward', cell: ({ verdict }) => `${rate(verdict.before.reward)} → ${rate(verdict.after.reward)}` },
      { title: 'why', cell: ({ verdict }) => verdict.after.error ?? verdict.after.note ?? '', shrinks: true },
    ],
    flips,
    width,
  );
  const more = all - flips.length;
  return ['', ...rows, ...(more === 0 ? [] : [`… and ${count(more)} more; --json gives all.`])];
}

interface Sides<T> {
  before: T;
  after: T;
}

const of = <T, U>({ before, after }: Sides<T>, value: (side: T) => U): Sides<U> => ({
  before: value(before),
  after: value(after),
});

const row = <T>(what: string, text: (value: T) => string, sides: Sides<T>): Row => ({ what, ...of(sides, text) });

const known =
  (text: (value: number) => string) =>
  (value: number | null): string =>
    value === null ? '–' : text(value);

const measuredRate = (measured: SuccessRate): string =>
  measured.p === null ? '–' : `${rate(measured.p)} [${intervalOf(measured)}]`;

const measuredMean = ({ mean, low, high }: Mean): string =>
  mean === null ? '–' : `${rate(mean)} [${rate(low)}–${rate(high)}]`;

/** Names a few. */
function named(what: string, families: readonly string[]): string[] {
  if (families.length === 0) return [];
  const some = families.slice(0, 8);
  const rest = families.length - some.length;
  const more = rest === 0 ? '' : ` and ${count(rest)} more`;
  return [`${plural(families.length, 'family', 'families')} would ${what}: ${some.join(', ')}${more}.`];
}
