import { evaluatedPass } from '../../engine/math/evaluatedPass.ts';
import type { EpochSummary, EventOf } from '../../shared/journal/events.ts';
import type { PassAtK } from '../../shared/journal/scores.ts';
import { cutOffClause } from '../../shared/text/cutOff.ts';
import { duration } from '../../shared/text/figures/durations.ts';
import { ends, measured } from '../../shared/text/figures/intervals.ts';
import { count, fixed, inColumn, plural, rate } from '../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';

/** One line of an epoch, for logs and pipes. */
export function plainLine(
  summary: EpochSummary,
  epochs: number,
  { alpha, kMin }: { alpha: number; kMin: number },
): string {
  const { successRate, kl, validation } = summary;
  const { p } = successRate;
  const where =
    p === null ? '' : Math.abs(p - alpha) <= kMin + 1e-9 ? ', in band' : p < alpha ? ', too hard' : ', too easy';
  const parts = [
    `epoch ${summary.epoch}/${epochs}`,
    `${measured(successRate)}${where}`,
    `R_env ${rate(summary.environmentReward)}`,
    `kept ${summary.familiesKept}/${summary.families}`,
    `effective sample ${inColumn(summary.effectiveSampleSize)}`,
    `KL agent ${inColumn(kl.agent)}, environment ${inColumn(kl.environment)}`,
    ...(validation === undefined ? [] : [`validation ${percentToTenth(validation.p)}`]),
    `${count(summary.rollouts)} rollouts and ${summary.tokens === null ? 'an unknown number of' : count(summary.tokens)} tokens in ${duration(summary.seconds)}`,
  ];
  return parts.join('  ');
}

/** An evaluation on the run's benchmark, after the epoch that it follows. */
export function evaluationLine(event: EventOf<'evaluated'>): string {
  const { epoch, benchmark, tasks, attempts, of = tasks, whole = true, truncated = 0 } = event;
  const { pass, answered } = evaluatedPass(event);
  const when = epoch === 0 ? 'start' : `epoch ${epoch}`;
  const notes = [
    ...(of > tasks ? [`a sample of ${count(of)}`] : []),
    ...(whole ? [] : ['its data is not whole']),
    ...(answered === null ? [] : [answeredWords(answered)]),
    ...(truncated === 0 ? [] : [cutWords(truncated, tasks * attempts)]),
  ];
  return [`${when}  ${benchmark} ${passWords(pass)} of ${plural(tasks, 'task')}`, ...notes].join('; ');
}

const cutWords = (truncated: number, of?: number): string => `${cutOffClause(truncated, of)} (rollouts.maxTokens)`;

const answeredWords = ({ attempts, successes }: { attempts: number; successes: number }): string =>
  `what was not answered is wrong: of the ${count(attempts)} answered ` +
  (attempts === 0 ? 'none' : percentToTenth(successes / attempts));

/** `pass@1 12.0 % [7.0, 19.8], pass@4 …` */
const passWords = (pass: readonly PassAtK[]): string =>
  pass
    .map(({ k, value, low, high }) => {
      const between = ends(fixed(100 * low, 1), fixed(100 * high, 1));
      return `pass@${k} ${value === null ? '–' : `${percentToTenth(value)} ${between}`}`;
    })
    .join(', ');

/** Attempts that taught nothing because their judge failed; null where it failed on none. */
export const judgeLine = ({ epoch, checkerErrors, rollouts }: EventOf<'rollouts.finished'>): string | null =>
  checkerErrors === 0
    ? null
    : `epoch ${epoch}  the reward or judge failed on ${count(checkerErrors)} of ${plural(rollouts, 'attempt')}; ` +
      'their traces say why';

/** The validation before the first epoch, or answers of a later one that were cut off; null where the epoch's line says all. */
export function validationLine({ epoch, successRate, truncated = 0 }: EventOf<'validated'>): string | null {
  const cut = cutWords(truncated);
  if (epoch > 0) return truncated === 0 ? null : `epoch ${epoch}  validation: ${cut}`;
  const start = `start  validation ${percentToTenth(successRate.p)} of ${plural(successRate.attempts, 'held-out attempt')}`;
  return truncated === 0 ? start : `${start}; ${cut}`;
}
