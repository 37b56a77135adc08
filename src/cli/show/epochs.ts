import { sparkline } from '../draw/sparkline.ts';
import type { EpochSummary, SuccessRate } from '../../shared/journal/events.ts';
import type { RunHead } from '../../runs/runHead.ts';
import { duration, figures, moment, percent, interval, rate } from '../text/numbers.ts';
import type { Style } from '../text/style.ts';
import { table } from '../text/table.ts';
import { stateText } from './stateText.ts';

export interface Course {
  head: RunHead;
  epochs: readonly EpochSummary[];
  /** Validations with their epoch; epoch 0 is before any training. */
  validations: readonly { epoch: number; successRate: SuccessRate }[];
  /** Why it ended; null while it has not. */
  ending: string | null;
}

/** `show RUN`: what the run is, its course, one line an epoch. */
export function courseLines(
  { head, epochs, validations, ending }: Course,
  { width, style, timezoneOffset }: { width: number; style: Style; timezoneOffset: number },
): string[] {
  const lines = [
    `${style.bold(head.name)}  ${head.mode}  ${stateText(head.state, style)}  epoch ${head.epoch}/${head.epochs}  ` +
      style.dim(`${head.id}, started ${moment(head.startedAt, timezoneOffset)}`),
    ...(ending === null ? [] : [ending]),
  ];
  const cells = Math.min(60, width - 16);
  if (epochs.length > 1) {
    const rates = epochs.map(({ successRate }) => successRate.p);
    lines.push(`p̂          ${style.accent(sparkline(rates, cells, { low: 0, high: 1 }))}  from 0 to 1`);
  }
  const [first, last] = [validations[0], validations.at(-1)];
  if (first !== undefined && last !== undefined) {
    const solved = validations.map(({ successRate }) => successRate.p);
    const measured = solved.filter((p) => p !== null);
    const ends = { low: Math.min(...measured), high: Math.max(...measured) };
    const words = first === last ? '' : ` (${percent(first.successRate.p)} after epoch ${first.epoch})`;
    const course = first === last ? '' : `${style.accent(sparkline(solved, cells, ends))}  `;
    lines.push(`validation ${course}${percent(last.successRate.p)}${words}`);
  }
  if (epochs.length === 0) return [...lines, 'No epoch is finished yet.'];
  return [...lines, '', ...table(columns, epochs, width)];
}

const columns = [
  { title: 'epoch', cell: ({ epoch }: EpochSummary) => String(epoch), right: true },
  { title: 'p̂', cell: ({ successRate }: EpochSummary) => rate(successRate.p), right: true },
  {
    title: '95 %',
    cell: ({ successRate }: EpochSummary) => interval(successRate),
  },
  { title: 'in band', cell: ({ inBand }: EpochSummary) => percent(inBand), right: true },
  { title: 'R_env', cell: ({ environmentReward }: EpochSummary) => rate(environmentReward), right: true },
  { title: 'kept', cell: ({ familiesKept, families }: EpochSummary) => `${familiesKept}/${families}`, right: true },
  {
    title: 'eff. n',
    cell: ({ effectiveSampleSize }: EpochSummary) => figures(effectiveSampleSize),
    right: true,
  },
  { title: 'KL agent', cell: ({ kl }: EpochSummary) => figures(kl.agent), right: true },
  { title: 'KL env', cell: ({ kl }: EpochSummary) => figures(kl.environment), right: true },
  { title: 'task', cell: ({ taskLength }: EpochSummary) => figures(taskLength), right: true },
  { title: 'answer', cell: ({ answerLength }: EpochSummary) => figures(answerLength), right: true },
  {
    title: 'rejected',
    cell: ({ rejected }: EpochSummary) => String(Object.values(rejected).reduce((sum, n) => sum + n, 0)),
    right: true,
  },
  { title: 'rollouts', cell: ({ rollouts }: EpochSummary) => String(rollouts), right: true },
  { title: 'time', cell: ({ seconds }: EpochSummary) => duration(seconds), right: true },
  { title: 'validation', cell: ({ validation }: EpochSummary) => percent(validation?.p ?? null), right: true },
];
