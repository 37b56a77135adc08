import type { RunState } from '../../engine/state.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { traceFlags } from '../index/recordKind.ts';
import { hashOf, type Hash } from '../index/recordRow.ts';
import type { RecordLog } from './recordLog.ts';
import { defined } from '../../shared/defined.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** A task and the outcomes of its attempts in one epoch, without attempts that the checker could not judge. */
export interface TaskCount {
  id: string;
  /** Absent where the run has one domain. */
  domain?: string;
  successes: number;
  attempts: number;
}

const key = ({ low, high }: Hash): string => `${high}.${low}`;

/**
 * Tasks of the training attempts that count in an epoch which belong to none of its families: those mixed into its batch,
 * without groups that fell out (`rollouts.spare`).
 * Reads one record a task; the rest comes from the index as of the last refresh.
 */
export async function mixedTasks(
  log: RecordLog<Trace>,
  epoch: number,
  families: readonly string[],
  { late, dropped }: Pick<RunState, 'late' | 'dropped'>,
): Promise<TaskCount[]> {
  const { count, epoch: epochs, familyLow, familyHigh, taskLow, taskHigh, flags } = log.columns;
  const keys = (ids: readonly string[] = []): ReadonlySet<string> => new Set(ids.map((id) => key(hashOf(id))));
  const scored = keys(families);
  const [before, own] = [keys(late.get(epoch - 1)), keys(late.get(epoch))];
  const out = keys(dropped.get(epoch));
  const outBefore = keys(dropped.get(epoch - 1));
  const found = new Map<string, { row: number; successes: number; attempts: number }>();
  for (let row = 0; row < count; row++) {
    const bits = flags[row] ?? outOfRange();
    const isOlder = before.size > 0 && epochs[row] === epoch - 1;
    if ((epochs[row] !== epoch && !isOlder) || ((bits >>> traceFlags.purposeShift) & 3) !== 0) continue;
    if (scored.has(key({ low: familyLow[row] ?? outOfRange(), high: familyHigh[row] ?? outOfRange() }))) continue;
    const task = key({ low: taskLow[row] ?? outOfRange(), high: taskHigh[row] ?? outOfRange() });
    if (isOlder ? !before.has(task) || outBefore.has(task) : own.has(task) || out.has(task)) continue;
    const counted = found.get(task) ?? { row, successes: 0, attempts: 0 };
    found.set(task, counted);
    if ((bits & traceFlags.unjudged) !== 0) continue;
    counted.attempts += 1;
    if ((bits & traceFlags.success) !== 0) counted.successes += 1;
  }
  const tasks: TaskCount[] = [];
  for (const { row, successes, attempts } of found.values()) {
    const trace = await log.at(row);
    if (trace !== undefined) tasks.push({ id: trace.task, ...defined({ domain: trace.domain }), successes, attempts });
  }
  return tasks;
}
