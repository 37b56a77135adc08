/** Runs of the reference policy in real run folders, as any run of the program lies. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../../../src/shared/records/task.ts';
import type { RunStore } from '../../../src/runs/runStore.ts';
import type { Case } from './covering.ts';
import { runReference } from './referenceRun.ts';

/** Runs a case to its end. @returns the run's folder */
export async function recordRun(store: RunStore, { name, experiment, options }: Case): Promise<string> {
  const writer = await store.create({ experiment: { ...experiment, name } });
  const given = await options();
  const ports = { ...given.ports, journal: writer, records: writer };
  try {
    await runReference(experiment, { ...given, ports });
    if (ports.offlineTasks !== undefined) await keep(join(writer.dir, 'inputs'), ports.offlineTasks);
  } finally {
    await writer.close();
  }
  return writer.dir;
}

/** Where a run keeps the tasks that it was given. */
async function keep(folder: string, tasks: readonly Task[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'offline.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
}
