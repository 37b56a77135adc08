/**
 * Two measurements of the same tasks, compared task by task by their shares of solved attempts. With one attempt a task the
 * interval is Bonett and Price's (2012) for a difference of paired proportions: a task that is gained and one that is lost
 * are added, so that it stays honest for few changes. With m attempts a task changes by less, and these two change by 1/√m.
 */
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Tries } from '../passAtK.ts';
import { z } from '../successRate.ts';

export interface PairedDifference {
  tasks: number;
  /** Every task had one attempt in both: it was solved or not. */
  single: boolean;
  /** Solved by the first, by the second: sums of the tasks' shares of solved attempts. */
  before: number;
  after: number;
  /** Tasks solved more often by the second, and less often. */
  gained: number;
  lost: number;
  /** (after − before)/tasks, and its 95 % interval. */
  difference: number;
  low: number;
  high: number;
}

/** Null when the two did not see the same number of tasks, or none. */
export function pairedDifference(first: readonly Tries[], second: readonly Tries[]): PairedDifference | null {
  if (second.length !== first.length) return null;
  let [tasks, before, after, gained, lost, squares] = [0, 0, 0, 0, 0, 0];
  const attempts = { first: 0, second: 0 };
  for (const [task, was] of first.entries()) {
    const is = second[task] ?? outOfRange();
    // Nothing is known of a task that one of them could not have answered.
    if (was.attempts === 0 || is.attempts === 0) continue;
    tasks += 1;
    attempts.first += was.attempts;
    attempts.second += is.attempts;
    const [then, now] = [was.successes / was.attempts, is.successes / is.attempts];
    before += then;
    after += now;
    gained += Number(now > then);
    lost += Number(now < then);
    squares += (now - then) ** 2;
  }
  if (tasks === 0) return null;
  const perTask = Math.min(attempts.first, attempts.second) / tasks;
  const centre = (after - before) / (tasks + 2);
  const half = z * Math.sqrt(((squares + 2 / perTask) / (tasks + 2) - centre ** 2) / (tasks + 2));
  const difference = (after - before) / tasks;
  return {
    tasks,
    single: attempts.first === tasks && attempts.second === tasks,
    before,
    after,
    gained,
    lost,
    difference,
    // The added two pull a handful of tasks with many attempts further to 0 than the interval is wide.
    low: Math.max(-1, Math.min(centre - half, difference)),
    high: Math.min(1, Math.max(centre + half, difference)),
  };
}
