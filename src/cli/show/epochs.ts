import { append } from '../../shared/append.ts';
import { largest, smallest } from '../../shared/extremes.ts';
import { sparkline } from '../draw/sparkline.ts';
import type { EpochSummary, EventOf } from '../../shared/journal/events.ts';
import type { RunState } from '../../engine/state.ts';
import type { RunHead } from '../../runs/store/runHead.ts';
import { style } from '../text/style.ts';
import { onOneLine, styled, type Printable } from '../text/styled.ts';
import { evaluationLine } from '../live/plainLine.ts';
import { table, type Column } from '../text/table.ts';
import { stateText } from './stateText.ts';
import { targetLines, type Target } from './target.ts';
import { sum } from '../../shared/sum.ts';
import { duration } from '../../shared/text/figures/durations.ts';
import { intervalOf } from '../../shared/text/figures/intervals.ts';
import { localMoment, type TimezoneOffset } from '../../shared/text/figures/moments.ts';
import { inColumn, rate } from '../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';

export interface Course {
  head: Omit<RunHead, 'summary' | 'label' | 'experiment'>;
  epochs: readonly EpochSummary[];
  validations: RunState['validations'];
  evaluations: readonly EventOf<'evaluated'>[];
  /** α of each epoch that began. */
  targets?: readonly Target[];
  /** Time and money. */
  money?: readonly string[];
  /** Why it ended; null while it has not. */
  ending: string | null;
}

/** `show RUN`: the run's settings, its course, one line an epoch. */
export function courseLines(
  { head, epochs, validations, evaluations, targets = [], money = [], ending }: Course,
  { width, timezoneOffset }: { width: number; timezoneOffset: TimezoneOffset },
): Printable[] {
  const begun = style.dim(`${head.id}, started ${localMoment(head.startedAt, timezoneOffset)}`);
  const lines: Printable[] = [
    styled`${style.bold(onOneLine(head.name))}  ${head.mode}  ${stateText(head)}  epoch ${head.current}/${head.epochs}  ${begun}`,
    ...(ending === null ? [] : [ending]),
  ];
  const cells = Math.min(60, width - 16);
  if (epochs.length > 1) {
    const rates = epochs.map(({ successRate }) => successRate.p);
    lines.push(styled`p̂          ${style.accent(sparkline(rates, cells, { low: 0, high: 1 }))}  from 0 to 1`);
  }
  append(lines, targetLines(targets, cells));
  const last = validations.at(-1);
  const alike = validations.filter(({ measured }) => measured === last?.measured);
  const [first] = alike;
  if (first !== undefined && last !== undefined) {
    const solved = alike.map(({ successRate }) => successRate.p);
    const measured = solved.filter((p) => p !== null);
    const ends = { low: smallest(measured), high: largest(measured) };
    const words = first === last ? '' : ` (${percentToTenth(first.successRate.p)} after epoch ${first.epoch})`;
    const course = first === last ? '' : styled`${style.accent(sparkline(solved, cells, ends))}  `;
    lines.push(styled`validation ${course}${percentToTenth(last.successRate.p)}${words}`);
  }
  const newest = evaluations.at(-1);
  if (newest !== undefined) lines.push(evaluationLine(newest));
  append(lines, money);
  const said = lines.map(onOneLine);
  if (epochs.length === 0) return [...said, 'No epoch is finished yet.'];
  return [...said, '', ...table(columns, epochs, width), ...domainLines(epochs, width, cells)];
}

/** Of a run of several domains: how each did in the last epoch, and its course. */
function domainLines(epochs: readonly EpochSummary[], width: number, cells: number): Printable[] {
  const last = epochs.at(-1);
  if (last?.domains === undefined) return [];
  const courses = last.domains.map(({ domain }) => {
    const rates = epochs.map((epoch) => epoch.domains?.find((own) => own.domain === domain)?.successRate.p ?? null);
    return styled`${onOneLine(domain)}  ${style.accent(sparkline(rates, cells, { low: 0, high: 1 }))}`;
  });
  const title = `Epoch ${last.epoch} by domain`;
  return ['', title, ...table(domainColumns, last.domains, width), ...(epochs.length > 1 ? ['', ...courses] : [])];
}

const domainColumns: readonly Column<NonNullable<EpochSummary['domains']>[number]>[] = [
  { title: 'domain', cell: ({ domain }) => onOneLine(domain) },
  { title: 'p̂', cell: ({ successRate }) => rate(successRate.p), right: true },
  { title: '95 %', cell: ({ successRate }) => intervalOf(successRate) },
  { title: 'in band', cell: ({ inBand }) => percentToTenth(inBand), right: true },
  { title: 'R_env', cell: ({ environmentReward }) => rate(environmentReward), right: true },
  { title: 'kept', cell: ({ familiesKept, families }) => `${familiesKept}/${families}`, right: true },
  { title: 'validation', cell: ({ validation }) => percentToTenth(validation?.p ?? null), right: true },
];

const columns: readonly Column<EpochSummary>[] = [
  { title: 'epoch', cell: ({ epoch }) => String(epoch), right: true },
  { title: 'p̂', cell: ({ successRate }) => rate(successRate.p), right: true },
  { title: '95 %', cell: ({ successRate }) => intervalOf(successRate) },
  { title: 'in band', cell: ({ inBand }) => percentToTenth(inBand), right: true, spare: 1 },
  { title: 'R_env', cell: ({ environmentReward }) => rate(environmentReward), right: true },
  { title: 'kept', cell: ({ familiesKept, families }) => `${familiesKept}/${families}`, right: true },
  { title: 'eff. n', cell: ({ effectiveSampleSize }) => inColumn(effectiveSampleSize), right: true, spare: 2 },
  { title: 'KL agent', cell: ({ kl }) => inColumn(kl.agent), right: true, spare: 4 },
  { title: 'KL env', cell: ({ kl }) => inColumn(kl.environment), right: true, spare: 3 },
  { title: 'task', cell: ({ taskLength }) => inColumn(taskLength), right: true, spare: 8 },
  { title: 'answer', cell: ({ answerLength }) => inColumn(answerLength), right: true, spare: 5 },
  { title: 'rejected', cell: ({ rejected }) => String(sum(Object.values(rejected))), right: true, spare: 6 },
  { title: 'rollouts', cell: ({ rollouts }) => String(rollouts), right: true, spare: 7 },
  { title: 'time', cell: ({ seconds }) => duration(seconds), right: true, spare: 9 },
  { title: 'validation', cell: ({ validation }) => percentToTenth(validation?.p ?? null), right: true },
];
