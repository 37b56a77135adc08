/** The real loop on scripted policies, written into a real run folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import type { RunStore } from '../../../src/runs/store/runStore.ts';
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { MemoryRun, runScripted } from '../scripted/scriptedRun.ts';

/** Carries the writer's run on to the end of its experiment; `run` holds what scripted policies keep in memory. */
export async function runInto(writer: RunWriter, run = new MemoryRun()): Promise<MemoryRun> {
  let state = emptyState;
  run.events = [];
  for await (const event of writer.events()) {
    state = applyEvent(state, event);
    run.events.push(event);
  }
  await runScripted(writer.manifest.experiment, run, { ports: { journal: writer, records: writer } });
  // Scripted policies keep their weights in memory; a branch wants files.
  const folder = join(writer.dir, 'checkpoints');
  await mkdir(folder, { recursive: true });
  for (const [name, weight] of [...run.checkpoints.agent, ...run.checkpoints.environment]) {
    await writeFile(join(folder, name), String(weight));
  }
  return run;
}

/** A finished run of an experiment. */
export async function finishedRun(
  store: RunStore,
  experiment: Experiment,
): Promise<{ id: string; dir: string; run: MemoryRun }> {
  const writer = await store.create({ experiment });
  const run = await runInto(writer);
  await writer.session({ type: 'finished' });
  await writer.close();
  return { id: writer.id, dir: writer.dir, run };
}
