import type { Disposable } from 'vscode';
import { countedFrom, countsIn, type LateTasks } from '../../../shared/journal/counted.ts';
import type { RunDir } from '../../runs/runs.ts';

/** How many notes each trace of a run has. */
export interface NoteCounts {
  counts(run: RunDir): Promise<ReadonlyMap<string, number>>;
  readonly onDidChange: (listener: (run: RunDir) => unknown) => Disposable;
}

interface AttemptedTask {
  run: RunDir;
  epoch: number;
  task: string;
  /** One attempt at it; all when absent. */
  trace?: string;
}

/** Notes on a trace, or on all attempts at a task that count in an epoch. @throws RunError */
export async function notesOn(
  notes: NoteCounts | null,
  { run, task, epoch, trace }: AttemptedTask,
  late: LateTasks,
): Promise<number> {
  const groups = countedFrom(late, { task, epoch }).map((made) => `e${made}/${task}/`);
  let sum = 0;
  for (const [id, count] of (await notes?.counts(run)) ?? []) {
    if (trace === undefined ? groups.some((group) => id.startsWith(group)) : id === trace) sum += count;
  }
  return sum;
}

/** Tasks with notes on an attempt that counts in an epoch. @throws RunError */
export async function notedTasks(
  notes: NoteCounts,
  { run, epoch }: Pick<AttemptedTask, 'run' | 'epoch'>,
  late: LateTasks,
): Promise<ReadonlySet<string>> {
  const counts = countsIn(late, epoch);
  const tasks = [...(await notes.counts(run)).keys()].flatMap((trace) => {
    const [, made, task] = /^e(\d+)\/(.+)\/r\d+$/.exec(trace) ?? [];
    return task !== undefined && counts({ task, epoch: Number(made) }) ? [task] : [];
  });
  return new Set(tasks);
}
