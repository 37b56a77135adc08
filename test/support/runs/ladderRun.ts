/** A run of ladder tasks with attempts made by hand, read for its health. */
import { flagsIn, type HealthRules, type RunFlags } from '../../../src/features/health/contract.ts';
import { RunHealth } from '../../../src/features/health/node/runHealth.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import type { FlagName } from '../../../src/features/tasks/contract.ts';
import { LadderDomain, LadderScorer } from '../scripted/ladder.ts';
import { makeTask, makeTrace } from './records.ts';
import { experiment, type TempRuns } from './tempRuns.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** A task whose gold is `5`; prompts of different nonces have nothing in common. */
export function rung(id: string, over: Partial<Task> = {}): Task {
  const task = makeTask({
    ...{ id, family: id.split('.').slice(0, 2).join('.'), evaluation: { kind: 'exact' }, gold: '5', plan: '' },
    ...{ prompt: [{ role: 'user', content: `climb 5 ${id}` }], complexity: { rung: 5 }, ...over },
  });
  delete task.generation;
  return task;
}

/** Attempts with these answers, in an epoch; `5` is right. */
export function answers(task: Task, texts: readonly string[], epoch = task.epoch, over: Partial<Trace> = {}): Trace[] {
  return texts.map((content, r) => {
    const success = content === task.gold;
    return makeTrace({
      ...{ id: `e${epoch}/${task.id}/r${r}`, task: task.id, family: task.family, epoch },
      ...{ messages: [{ role: 'assistant', content }], verdict: { success, reward: Number(success), valid: true } },
      ...over,
    });
  });
}

export interface LadderRun {
  reader: RunReader;
  health: RunHealth;
  /** Flags of a task on demand, and what they say. */
  why(task: Task): Promise<Partial<Record<FlagName, string>>>;
  /** Flags of every task that has some, by the scan. */
  scanned(): Promise<Record<string, FlagName[]>>;
}

/** Writes the records into a new run and reads it again. */
export async function ladderRun(
  runs: TempRuns,
  { tasks, traces }: { tasks: readonly Task[]; traces: readonly Trace[] },
  rules: Partial<HealthRules> = {},
): Promise<LadderRun> {
  const store = runs.store();
  const writer = await store.create({ experiment });
  await writer.appendTasks(tasks);
  await writer.appendTraces(traces);
  await writer.close();
  const reader = await store.openReader(writer.id);
  const health = new RunHealth(reader, {
    ...{ domain: new LadderDomain(), scorer: new LadderScorer(), given: [], ...rules },
  });
  return {
    reader,
    health,
    why: async (task) => Object.fromEntries((await health.of(task)).map(({ flag, why }) => [flag, why])),
    scanned: async () => named(tasks, await health.scan({ signal: new AbortController().signal })),
  };
}

function named(tasks: readonly Task[], { recorded, given }: RunFlags): Record<string, FlagName[]> {
  const masks: [string, number][] = [
    ...tasks.map(({ id }, row): [string, number] => [id, recorded[row] ?? outOfRange()]),
    ...given,
  ];
  return Object.fromEntries(masks.filter(([, mask]) => mask !== 0).map(([id, mask]) => [id, flagsIn(mask)]));
}
