/**
 * Two validations of the same tasks, compared task by task. The interval is Bonett and Price's (2012) for a difference
 * of paired proportions: half a task is added to each kind of change, so that it stays honest for few changes.
 */
import { z } from '../successRate.ts';
import type { EventOf } from '../../../shared/journal/events.ts';

export interface PairedDifference {
  tasks: number;
  /** Solved by the first, by the second. */
  before: number;
  after: number;
  gained: number;
  lost: number;
  /** (gained − lost)/tasks, and its 95 % interval. */
  difference: number;
  low: number;
  high: number;
}

/** Null when the two did not see the same number of tasks, or none. */
export function pairedDifference(
  first: Pick<EventOf<'validated' | 'evaluated'>, 'outcomes'>,
  second: Pick<EventOf<'validated' | 'evaluated'>, 'outcomes'>,
): PairedDifference | null {
  const all = first.outcomes.length;
  if (second.outcomes.length !== all) return null;
  let tasks = 0;
  let before = 0;
  let after = 0;
  let gained = 0;
  let lost = 0;
  for (let task = 0; task < all; task++) {
    // Nothing is known of a task that one of them could not have answered.
    if (first.outcomes[task] === '-' || second.outcomes[task] === '-') continue;
    tasks += 1;
    const solvedBefore = first.outcomes[task] === '1';
    const solvedAfter = second.outcomes[task] === '1';
    before += Number(solvedBefore);
    after += Number(solvedAfter);
    gained += Number(!solvedBefore && solvedAfter);
    lost += Number(solvedBefore && !solvedAfter);
  }
  if (tasks === 0) return null;
  const up = (gained + 1) / (tasks + 2);
  const down = (lost + 1) / (tasks + 2);
  const half = z * Math.sqrt((up + down - (up - down) ** 2) / (tasks + 2));
  return {
    tasks,
    before,
    after,
    gained,
    lost,
    difference: (gained - lost) / tasks,
    low: Math.max(-1, up - down - half),
    high: Math.min(1, up - down + half),
  };
}
