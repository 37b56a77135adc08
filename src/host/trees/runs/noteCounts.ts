import type { Disposable } from 'vscode';
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

/** Notes on a trace, or on all attempts at a task in an epoch. @throws RunError */
export async function notesOn(notes: NoteCounts | null, { run, epoch, task, trace }: AttemptedTask): Promise<number> {
  let sum = 0;
  for (const [id, count] of (await notes?.counts(run)) ?? []) {
    if (trace === undefined ? id.startsWith(`e${epoch}/${task}/`) : id === trace) sum += count;
  }
  return sum;
}

/** Tasks with notes on an attempt of an epoch. @throws RunError */
export async function notedTasks(notes: NoteCounts, run: RunDir, epoch: number): Promise<ReadonlySet<string>> {
  const prefix = `e${epoch}/`;
  const own = [...(await notes.counts(run)).keys()].filter((trace) => trace.startsWith(prefix));
  return new Set(own.map((trace) => trace.slice(prefix.length).replace(/\/r\d+$/, '')));
}
