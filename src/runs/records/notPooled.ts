/** Training attempts that the records hold and no pool does. */
import type { RunState } from '../../engine/state.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import type { RecordColumns } from '../index/recordColumns.ts';
import { hashOf } from '../index/recordRow.ts';

/**
 * Groups of epochs that have not made the pools grow, that fell out (`rollouts.spare`), and late ones (`rollouts.late`) that have
 * not counted.
 * @returns whether the attempt at a row of the index is of one
 */
export function notPooled(
  { dropped, late, poolTasks }: Pick<RunState, 'dropped' | 'late' | 'poolTasks'>,
  { epoch, taskLow, taskHigh }: Pick<RecordColumns, 'epoch' | 'taskLow' | 'taskHigh'>,
): (row: number) => boolean {
  const waiting = [...late].filter(([made]) => !poolTasks.has(made + 1));
  const keys = new Set<string>();
  for (const [made, tasks] of [...dropped, ...waiting]) {
    for (const { low, high } of tasks.map(hashOf)) keys.add(`${made} ${high} ${low}`);
  }
  return (row) =>
    !poolTasks.has(epoch[row] ?? outOfRange()) ||
    (keys.size > 0 && keys.has(`${epoch[row]} ${taskHigh[row]} ${taskLow[row]}`));
}
