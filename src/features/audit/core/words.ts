/** The findings, in sentences. */
import type { WithinRank } from '../../../engine/math/withinGroups.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import {
  englishCount,
  englishFixed,
  englishPlural,
  englishSignificant,
} from '../../../shared/text/figures/englishFigures.ts';

export type Rate = SuccessRate;

const shareOf = ({ successes, attempts, p, low, high }: Rate, what: string): string =>
  p === null
    ? `There are no ${what}.`
    : `${englishCount(successes)} of ${englishCount(attempts)} ${what} (${englishSignificant(100 * p, 2)} %, 95 % interval ${englishSignificant(100 * low, 2)} % to ${englishSignificant(100 * high, 2)} %)`;

export function lengthWords({ rho, low, high, groups, attempts }: WithinRank): string {
  if (rho === null) return 'No task has attempts that differ both in length and in reward.';
  const trend = rho > 0 ? 'longer answers got more reward' : 'longer answers got less reward';
  return (
    `Among attempts at one task, ${trend}: rank correlation ${englishFixed(rho, 2)} (95 % interval ${englishFixed(low, 2)} to ${englishFixed(high, 2)}; ` +
    `${englishPlural(attempts, 'attempt')} at ${englishPlural(groups, 'task')}, each in one epoch). Difficulty cannot make it; thoroughness can.`
  );
}

interface Constants {
  /** The reward that all attempts have; null where they differ. */
  everywhere: number | null;
  count: number;
  rate: Rate;
  flat: { n: number; constant: readonly number[] };
}

export function constantWords({ everywhere, count: all, rate, flat }: Constants): string {
  if (everywhere !== null)
    return `All ${englishCount(all)} judged attempts have the reward ${everywhere}: nothing can be learned from it.`;
  const families =
    rate.attempts === 0
      ? 'No family has as many as 8 judged attempts in an epoch.'
      : `${shareOf(rate, 'families')} gave one reward to all of their attempts: GRPO learns nothing from these.`;
  if (flat.constant.length === 0) return families;
  return `${families} In ${englishCount(flat.constant.length)} of ${englishCount(flat.n)} families with successes and failures the reward is the same for both.`;
}

export const formWords = (rate: Rate): string =>
  rate.p === null
    ? shareOf(rate, 'successes')
    : `${shareOf(rate, 'successes')} are of answers that say nothing: only tags, brackets or punctuation, though the gold says something.`;

/** How often each kind of fault was seen. */
interface Faults {
  failed: number;
  unreadable: number;
  another: number;
}

export function lastActionWords(rate: Rate, { failed, unreadable, another }: Faults): string {
  if (rate.p === null) return shareOf(rate, 'successes');
  return (
    `${shareOf(rate, 'successes')} end with an action that cannot have been right: ${englishCount(failed)} were answered with an ` +
    `error, ${englishCount(unreadable)} cannot be read, ${englishCount(another)} are calls of other tools than the gold’s.`
  );
}

export function twinsWords(rate: Rate, same: number, nearly: number): string {
  if (rate.p === null) return 'No answer was given twice at a task in one epoch.';
  return (
    `${shareOf(rate, 'answers')} that were given more than once at a task in one epoch were judged both right and wrong: ` +
    `${englishCount(same)} to the letter, ${englishCount(nearly)} but for case, quotes, blanks or punctuation.`
  );
}

export const majorityWords = (rate: Rate): string =>
  rate.p === null
    ? 'No task has as many as 4 attempts in an epoch.'
    : `At ${shareOf(rate, 'tasks, each in one epoch')} more than half of the attempts, 4 at least, agree on one answer that is judged wrong: their gold may be wrong, or how answers are read; or the agent errs in one way.`;
