/** Tasks and traces behind the families of a large run. */
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import type { FamilyScore } from '../../../src/shared/journal/events.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { sampleTrace } from '../runs.ts';

/** Families whose records are handed over at once. */
const batch = 32;

export async function writeRecords(writer: RunWriter, epoch: number, families: readonly FamilyScore[]): Promise<void> {
  for (let from = 0; from < families.length; from += batch) {
    const some = families.slice(from, from + batch);
    await writer.appendTasks(some.flatMap((family) => tasksOf(epoch, family)));
    await writer.appendTraces(some.flatMap((family) => tracesOf(epoch, family)));
  }
}

const tasksOf = (epoch: number, family: FamilyScore): Task[] =>
  family.tasks.map(({ id }) => ({
    v: 1,
    id,
    family: family.id,
    epoch,
    origin: 'generated',
    seed: family.seed,
    status: 'accepted',
    prompt: [{ role: 'user', content: 'first increase apple n4, then list the shelf' }],
    evaluation: { kind: 'storekeeper' },
    gold: 'first increase f3 apple n4',
    complexity: family.complexity,
    plan: family.plan,
  }));

function tracesOf(epoch: number, family: FamilyScore): Trace[] {
  return family.tasks.flatMap(({ id, successes, attempts }, task) =>
    Array.from({ length: attempts }, (_, attempt): Trace => {
      const success = attempt < successes;
      return {
        ...sampleTrace(epoch * 8191 + task * 64 + attempt),
        id: `e${epoch}/${id}/r${attempt}`,
        task: id,
        family: family.id,
        epoch,
        version: `agent@${epoch}`,
        verdict: { success, reward: success ? 1 : 0, valid: true },
      };
    }),
  );
}
