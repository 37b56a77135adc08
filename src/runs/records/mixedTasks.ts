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
 * Tasks attempted in training in an epoch that belong to none of the families: those mixed into its batch. Reads one
 * record a task; the rest comes from the index as of the last refresh.
 */
export async function mixedTasks(
  log: RecordLog<Trace>,
  epoch: number,
  families: readonly string[],
): Promise<TaskCount[]> {
  const { count, epoch: epochs, familyLow, familyHigh, taskLow, taskHigh, flags } = log.columns;
  const scored = new Set(families.map((family) => key(hashOf(family))));
  const found = new Map<string, { row: number; successes: number; attempts: number }>();
  for (let row = 0; row < count; row++) {
    const bits = flags[row] ?? outOfRange();
    if (epochs[row] !== epoch || ((bits >>> traceFlags.purposeShift) & 3) !== 0) continue;
    if (scored.has(key({ low: familyLow[row] ?? outOfRange(), high: familyHigh[row] ?? outOfRange() }))) continue;
    const task = key({ low: taskLow[row] ?? outOfRange(), high: taskHigh[row] ?? outOfRange() });
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
