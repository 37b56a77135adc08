/** The findings, in sentences. */
import * as l10n from '@vscode/l10n';
import type { WithinRank } from '../../../engine/math/withinGroups.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { count, fixed, significant } from '../../../shared/text/figures/numbers.ts';

export type Rate = SuccessRate;

const shareOf = ({ successes, attempts, p, low, high }: Rate, what: string): string =>
  p === null
    ? l10n.t('There are no {0}.', what)
    : l10n.t(
        '{0} of {1} {2} ({3} %, 95 % interval {4} % to {5} %)',
        count(successes),
        count(attempts),
        what,
        significant(100 * p, 2),
        significant(100 * low, 2),
        significant(100 * high, 2),
      );

export function lengthWords({ rho, low, high, groups, attempts }: WithinRank): string {
  if (rho === null) return l10n.t('No task has attempts that differ both in length and in reward.');
  const trend = rho > 0 ? l10n.t('longer answers got more reward') : l10n.t('longer answers got less reward');
  return l10n.t(
    'Among attempts at one task, {0}: rank correlation {1} (95 % interval {2} to {3}; {4} at {5}, each in one epoch). Difficulty cannot make it; thoroughness can.',
    trend,
    fixed(rho, 2),
    fixed(low, 2),
    fixed(high, 2),
    attempts === 1 ? l10n.t('1 attempt') : l10n.t('{0} attempts', count(attempts)),
    groups === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count(groups)),
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
    return l10n.t(
      'All {0} judged attempts have the reward {1}: nothing can be learned from it.',
      count(all),
      everywhere,
    );
  const families =
    rate.attempts === 0
      ? l10n.t('No family has as many as 8 judged attempts in an epoch.')
      : l10n.t(
          '{0} gave one reward to all of their attempts: GRPO learns nothing from these.',
          shareOf(rate, l10n.t('families')),
        );
  if (flat.constant.length === 0) return families;
  return l10n.t(
    '{0} In {1} of {2} families with successes and failures the reward is the same for both.',
    families,
    count(flat.constant.length),
    count(flat.n),
  );
}

export const formWords = (rate: Rate): string =>
  rate.p === null
    ? shareOf(rate, l10n.t('successes'))
    : l10n.t(
        '{0} are of answers that say nothing: only tags, brackets or punctuation, though the gold says something.',
        shareOf(rate, l10n.t('successes')),
      );

/** How often each kind of fault was seen. */
interface Faults {
  failed: number;
  unreadable: number;
  another: number;
}

export function lastActionWords(rate: Rate, { failed, unreadable, another }: Faults): string {
  if (rate.p === null) return shareOf(rate, l10n.t('successes'));
  return l10n.t(
    '{0} end with an action that cannot have been right: {1} were answered with an error, {2} cannot be read, {3} are calls of other tools than the gold’s.',
    shareOf(rate, l10n.t('successes')),
    count(failed),
    count(unreadable),
    count(another),
  );
}

export function twinsWords(rate: Rate, same: number, nearly: number): string {
  if (rate.p === null) return l10n.t('No answer was given twice at a task in one epoch.');
  return l10n.t(
    '{0} that were given more than once at a task in one epoch were judged both right and wrong: {1} to the letter, {2} but for case, quotes, blanks or punctuation.',
    shareOf(rate, l10n.t('answers')),
    count(same),
    count(nearly),
  );
}

export const majorityWords = (rate: Rate): string =>
  rate.p === null
    ? l10n.t('No task has as many as 4 attempts in an epoch.')
    : l10n.t(
        'At {0} more than half of the attempts, 4 at least, agree on one answer that is judged wrong: their gold may be wrong, or how answers are read; or the agent errs in one way.',
        shareOf(rate, l10n.t('tasks, each in one epoch')),
      );
