/** The findings, in sentences. */
import type { WithinRank } from '../../../engine/math/withinGroups.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';

export type Rate = SuccessRate;

const count = (value: number): string => value.toLocaleString('en-US');
const plural = (value: number, one: string, more = `${one}s`): string => `${count(value)} ${value === 1 ? one : more}`;
const figure = (value: number): string => value.toFixed(2).replace('-', '−');
const percent = (value: number): string => `${Number((value * 100).toPrecision(2))} %`;

const shareOf = ({ successes, attempts, p, low, high }: Rate, what: string): string =>
  p === null
    ? `There are no ${what}.`
    : `${count(successes)} of ${count(attempts)} ${what} (${percent(p)}, 95 % interval ${percent(low)} to ${percent(high)})`;

export function lengthWords({ rho, low, high, groups, attempts }: WithinRank): string {
  if (rho === null) return 'No task has attempts that differ both in length and in reward.';
  const trend = rho > 0 ? 'longer answers got more reward' : 'longer answers got less reward';
  return (
    `Among attempts at one task, ${trend}: rank correlation ${figure(rho)} (95 % interval ${figure(low)} to ${figure(high)}; ` +
    `${plural(attempts, 'attempt')} at ${plural(groups, 'task')}, each in one epoch). Difficulty cannot make it; thoroughness can.`
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
    return `All ${count(all)} judged attempts have the reward ${everywhere}: nothing can be learned from it.`;
  const families =
    rate.attempts === 0
      ? 'No family has as many as 8 judged attempts in an epoch.'
      : `${shareOf(rate, 'families')} gave one reward to all of their attempts: GRPO learns nothing from these.`;
  if (flat.constant.length === 0) return families;
  return `${families} In ${count(flat.constant.length)} of ${count(flat.n)} families with successes and failures the reward is the same for both.`;
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
    `${shareOf(rate, 'successes')} end with an action that cannot have been right: ${count(failed)} were answered with an ` +
    `error, ${count(unreadable)} cannot be read, ${count(another)} are calls of other tools than the gold’s.`
  );
}

export function twinsWords(rate: Rate, same: number, nearly: number): string {
  if (rate.p === null) return 'No answer was given twice at a task in one epoch.';
  return (
    `${shareOf(rate, 'answers')} that were given more than once at a task in one epoch were judged both right and wrong: ` +
    `${count(same)} to the letter, ${count(nearly)} but for case, quotes, blanks or punctuation.`
  );
}

export const majorityWords = (rate: Rate): string =>
  rate.p === null
    ? 'No task has as many as 4 attempts in an epoch.'
    : `At ${shareOf(rate, 'tasks, each in one epoch')} more than half of the attempts, 4 at least, agree on one answer that is judged wrong: their gold may be wrong, or how answers are read; or the agent errs in one way.`;
