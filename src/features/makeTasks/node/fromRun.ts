/** The tasks that a run accepted, as people left them, with the attempts it made at them. */
import { PoolEdits } from '../../../runs/export/poolEdits.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { verifyOwn } from '../../../launch/scoring/verifyOwn.ts';
import type { Domain } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import { authorOf, type Candidate, type Leave } from './candidate.ts';

type Counts = NonNullable<Candidate['measured']>;

/**
 * In the order written. Accepted tasks were verified then; edited ones are verified again.
 * @param epochs first and last epoch of writing; null for all @throws RunError
 */
export async function* tasksOfRun(
  run: RunReader,
  domain: Domain,
  ask: { epochs: readonly [number, number] | null; leave: Leave; signal: AbortSignal; dist: URL },
): AsyncGenerator<Candidate> {
  const { epochs, leave, signal, dist } = ask;
  const edits = await PoolEdits.read(run);
  const written = new Map<number, number>();
  for await (const event of run.events()) if (event.type === 'tasks.generated') written.set(event.epoch, event.at);
  const measured = await attemptsOf(run, signal);
  const author = authorOf(run.manifest.experiment);
  for await (const task of run.tasks()) {
    signal.throwIfAborted();
    if (epochs !== null && (task.epoch < epochs[0] || task.epoch > epochs[1])) continue;
    if (task.status === 'rejected') {
      leave('rejected', `${task.id}: ${task.cause ?? ''}`);
      continue;
    }
    if (edits.isExcluded(task.id)) {
      leave('excluded', task.id);
      continue;
    }
    const now: Task = edits.now(task);
    if (edits.isEdited(task.id) && !(await verifyOwn(run, now, dist)).ok) {
      leave('edited', task.id);
      continue;
    }
    const known = domain.likeness?.(now) ?? { ok: true };
    if (!known.ok) {
      leave(known.cause === 'held-out' ? 'held-out' : 'duplicate', task.id);
      continue;
    }
    yield {
      task: now,
      measured: measured.get(task.id) ?? null,
      provenance: {
        ...{ run: run.id, task: task.id, ...author, version: task.generation?.version ?? 'environment@0' },
        at: new Date(written.get(task.epoch) ?? Date.parse(run.manifest.createdAt)).toISOString(),
      },
    };
  }
}

/** Judged training attempts by task, from all epochs; the version is the newest that attempted it. */
async function attemptsOf(run: RunReader, signal: AbortSignal): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>();
  for await (const { purpose, task, version, verdict } of run.traces()) {
    signal.throwIfAborted();
    if (purpose !== 'train' || verdict.error !== undefined) continue;
    const { successes = 0, attempts = 0 } = counts.get(task) ?? {};
    counts.set(task, { version, successes: successes + (verdict.success ? 1 : 0), attempts: attempts + 1 });
  }
  return counts;
}
