/** Runs of the reference policy in real run folders, as any run of the program lies. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Changes, Edits } from '../../../src/engine/ports.ts';
import { offlineCopy } from '../../../src/launch/inputs/inputs.ts';
import { defined } from '../../../src/shared/defined.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { parseTaskFile } from '../../../src/shared/records/taskFile.ts';
import type { RunStore } from '../../../src/runs/store/runStore.ts';
import type { Case } from './covering.ts';
import { referenceExperiment, runReference } from './referenceRun.ts';

/** Runs a case to its end. @returns the run's folder */
export async function recordRun(store: RunStore, one: Case): Promise<string> {
  const { name, experiment } = one;
  const writer = await store.create({ experiment: { ...experiment, name } });
  const given = await one.options();
  const offlineTasks = given.ports?.offlineTasks && (await kept(writer.dir, given.ports.offlineTasks));
  let now = Date.UTC(2026, 0, 1);
  // Every look at the clock takes a quarter of a second.
  const clock = { now: () => (now += 250) };
  const ports = { ...given.ports, ...defined({ offlineTasks }), journal: writer, records: writer, clock };
  try {
    await runReference(experiment, { ...given, ports });
  } finally {
    await writer.close();
  }
  return writer.dir;
}

/** Puts tasks into a run's copy of their file. @returns them as a run reads them from there, with ids of its own */
async function kept(dir: string, tasks: readonly Task[]): Promise<Task[]> {
  const text = tasks.map((task) => JSON.stringify(task)).join('\n');
  const path = join(dir, offlineCopy);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  const read = parseTaskFile(text, path, 'offline');
  return 'tasks' in read ? read.tasks : assert.fail(JSON.stringify(read.problems));
}

/** A run whose settings people change, and whose tasks they edit and exclude, while it goes. */
export async function recordChangedRun(
  store: RunStore,
  sampler: Experiment['rollouts']['sampler'] = { kind: 'uniform', temperature: 0.1, staleness: 0.3 },
  staleness = 0,
): Promise<string> {
  const experiment = referenceExperiment({
    ...{ epochs: 4 + staleness, curriculum: { filter: 'off' } },
    rollouts: { baseShare: 0.2, poolShare: 0.3, sampler, staleness },
    environment: { bufferEpochs: 3, minFamilies: 1 },
  });
  const writer = await store.create({ experiment: { ...experiment, name: 'changed' } });
  let looked = 0;
  const asked = new Map<number, Record<string, unknown>>([
    [3, { 'rollouts.group': 3, 'generation.families': 2, 'environment.klCoefficient': 0 }],
    [4, { 'curriculum.alpha': 0.4, 'curriculum.filter': 'soft', 'environment.bufferEpochs': 2 }],
  ]);
  const changes: Changes = {
    waiting: () => {
      looked += 1;
      const fields = Object.entries(asked.get(looked) ?? {}).map(([field, to]) => ({ field, to }));
      return Promise.resolve(fields.length === 0 ? [] : [{ id: `${looked}`, author: 'ada', changes: fields }]);
    },
    taken: () => Promise.resolve(),
  };
  let epoch = 0;
  const edits: Edits = {
    waiting: async () => {
      epoch += 1;
      const [first, second] = (await writer.tasksOf(epoch - 1)).filter(({ status }) => status === 'accepted');
      if (epoch < 3 || first === undefined || second === undefined) return [];
      const made: TaskEdit[] = [
        { action: 'exclude', task: first.id, reason: 'wrong gold' },
        { action: 'edit', task: second.id, changes: [{ field: 'gold', from: second.gold, to: '1' }] },
      ];
      // As if people had solved what the agent had no valid attempt at, and one more.
      const valid = new Set((await writer.tracesOf(epoch - 1)).flatMap((one) => (one.verdict.valid ? [one.task] : [])));
      const written = (await writer.tasksOf(epoch - 1)).filter(({ status }) => status === 'accepted');
      for (const { id } of written.filter((task, i) => i === 2 || !valid.has(task.id))) {
        made.push({ action: 'admit', task: id, trace: `person.a/${id}/r0`, written: epoch - 1 });
      }
      return [{ id: `${epoch}`, author: 'ada', edits: made }];
    },
    taken: () => Promise.resolve(),
  };
  try {
    await runReference(experiment, { ports: { journal: writer, records: writer, changes, edits } });
  } finally {
    await writer.close();
  }
  return writer.dir;
}
