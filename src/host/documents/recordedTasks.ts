/** A run's tasks by id, whether it wrote them itself or was given them. */
import type { Task } from '../../shared/records/task.ts';
import type { OpenRun } from '../trees/openRun.ts';

const given = new WeakMap<OpenRun, Promise<ReadonlyMap<string, Task>>>();

/** Null for a task that is neither recorded nor among those the run was started with. @throws RunError, InputError */
export async function taskOf(run: OpenRun, id: string): Promise<Task | null> {
  const recorded = await run.followed.reader.task(id);
  if (recorded !== undefined) return recorded;
  return (await givenOf(run)).get(id) ?? null;
}

/** Base, validation and offline tasks of a run, read once. @throws InputError */
export function givenOf(run: OpenRun): Promise<ReadonlyMap<string, Task>> {
  const reading = given.get(run) ?? readGiven(run);
  given.set(run, reading);
  return reading;
}

async function readGiven(run: OpenRun): Promise<ReadonlyMap<string, Task>> {
  try {
    const { givenTasks } = await import('../../launch/domains/openDomain.ts');
    const tasks = await givenTasks(run.followed);
    return new Map(tasks.map((task) => [task.id, task]));
  } catch (error) {
    given.delete(run);
    throw error;
  }
}
