/** A benchmark's own records as seeds, by the adapter that is shipped for it. */
import { readFile } from 'node:fs/promises';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import { checkAdapter } from '../../../src/launch/adapters/checkAdapter.ts';
import type { Task } from '../../../src/shared/records/task.ts';

export interface Official {
  tasks: Task[];
  rules: ScorerTable;
}

/** The first half of a split of what a folder has, as tests may see it. */
export async function officialTasks(name: string, folder: string, split: string): Promise<Official> {
  const file = new URL(`../../../media/adapters/${name}.adapter.json`, import.meta.url);
  const { adapter } = readAdapter(await readFile(file, 'utf8'), name);
  if (adapter === null) throw new Error(`${name} is no adapter.`);
  const tasks: Task[] = [];
  for await (const found of checkAdapter(adapter, folder, { signal: new AbortController().signal, splits: [split] })) {
    if (!('task' in found)) continue;
    const { id } = found.task;
    const own = { v: 1, epoch: 0, origin: 'base', seed: null, status: 'accepted', plan: '' } as const;
    tasks.push({ ...found.task, ...own, family: id });
  }
  const half = tasks.slice(0, Math.ceil(tasks.length / 2));
  return { tasks: half, rules: await ScorerTable.open([adapter.scorer.kind], null, half) };
}
