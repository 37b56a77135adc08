/** Groups that count in the epoch after the one that attempted them. */
import { knownSum } from '../../shared/money/knownSum.ts';
import type { Unanswered } from '../../shared/journal/events.ts';
import type { Attempts, Group } from '../phases/attempts/attemptPlan.ts';
import { joinedUnanswered } from '../unanswered.ts';
import { defined } from '../../shared/defined.ts';

export interface LateGroups {
  calibrated: readonly Group[];
  mixed: readonly Group[];
  tokens: number;
  unanswered?: Unanswered;
}

export const noneLate: LateGroups = { calibrated: [], mixed: [], tokens: 0 };

/** An epoch’s attempts with the late ones of the epoch before it, which stand first. */
export const withLate = <A extends Attempts<number | null>>(own: A, late: LateGroups): A => ({
  ...own,
  groups: [...late.calibrated, ...late.mixed, ...own.groups],
  tokens: knownSum(late.tokens, own.tokens),
  ...defined({ unanswered: joinedUnanswered(late.unanswered, own.unanswered) }),
});

/**
 * Groups of one task as one: a given task may be drawn again while its group of the epoch before is late. p̂ is over all of
 * its attempts; each group has advantages of its own.
 */
export function byTask(groups: readonly Group[]): Group[] {
  return [...Map.groupBy(groups, ({ task }) => task.id).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined || own.length === 1) return own;
    return [{ task: first.task, traces: own.flatMap(({ traces }) => traces) }];
  });
}
