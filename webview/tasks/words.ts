/** The task editor's names of things. */
import * as l10n from '@vscode/l10n';
import { successRate } from '../../src/engine/math/successRate.ts';
import type { FlagName, TaskRow, TasksQuery } from '../../src/features/tasks/contract.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { count, rate } from '../../src/shared/text/figures/numbers.ts';

export type Rate = TaskRow['rate'];

/** A flag's meaning, for any task. */
export const flagMeaning = (flag: FlagName): string =>
  ({
    unverifiable: l10n.t('Its gold does not pass its own check.'),
    'gold-disagrees': l10n.t('Most attempts agree on another answer than its gold.'),
    'not-deterministic': l10n.t('The same answer was judged differently.'),
    'coin-flip': l10n.t('Its success rate may be chance: halves of its attempts disagree.'),
    duplicate: l10n.t('Another task has the same text.'),
    'held-out': l10n.t('It overlaps with a held-out benchmark.'),
    truncated: l10n.t('Most attempts were cut at the token limit.'),
    dead: l10n.t('All attempts ended alike, so nothing is learned from them.'),
  })[flag];

export const statusWord = (status: TaskRow['status']): string =>
  ({
    accepted: l10n.t('accepted'),
    rejected: l10n.t('rejected'),
    excluded: l10n.t('excluded'),
    damaged: l10n.t('damaged'),
  })[status];

export const originWord = (origin: TaskRow['origin']): string =>
  ({
    base: l10n.t('seed task'),
    generated: l10n.t('generated'),
    offline: l10n.t('from an offline file'),
    validation: l10n.t('validation task'),
  })[origin];

export const orderWord = (order: TasksQuery['order']): string =>
  ({
    written: l10n.t('As written'),
    id: l10n.t('Id'),
    epoch: l10n.t('Epoch'),
    successRate: l10n.t('Success rate'),
    reward: l10n.t('Environment reward'),
    weight: l10n.t('Weight'),
    length: l10n.t('Length'),
    status: l10n.t('Status'),
    flags: l10n.t('Flags'),
  })[order];

/** p̂ 0.25 [0.05–0.70] */
export function rateText({ successes, attempts }: Rate): string {
  const { p, low, high } = successRate(successes, attempts);
  return p === null ? l10n.t('not attempted') : `p̂ ${rate(p)} [${interval(low, high)}]`;
}

/** The same to be heard, and how many attempts it rests on. */
export function rateSpoken({ successes, attempts }: Rate): string {
  const { p, low, high } = successRate(successes, attempts);
  if (p === null) return l10n.t('not attempted');
  const [solved, all] = [count(successes), count(attempts)];
  return l10n.t(
    'success rate {0}, between {1} and {2}, {3} of {4} solved',
    rate(p),
    rate(low),
    rate(high),
    solved,
    all,
  );
}

/** Beyond this many attempts their number says more than their marks. */
const mostMarks = 10;

/** ●●○○, or 12/40. Attempts in no order: those that solved it first. */
export function attemptsText({ successes, attempts }: Rate): string {
  if (attempts > mostMarks) return `${count(successes)}/${count(attempts)}`;
  return '●'.repeat(successes) + '○'.repeat(attempts - successes);
}

/** 1 task, 2 tasks */
export const tasksText = (n: number): string => (n === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count(n)));
