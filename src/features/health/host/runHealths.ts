import type { HealthFlag, TaskHealth } from '../contract.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { messageOf } from '../../../shared/messageOf.ts';

const opened = new WeakMap<OpenRun, Promise<TaskHealth>>();

/** The health in a task's document: flags, or why there are none. */
export type ToldHealth = { flags: readonly HealthFlag[] } | { why: string };

/** Flags of a task as people left it. A run whose inputs are gone is shown without them. */
export async function healthOf(run: OpenRun, task: Task): Promise<ToldHealth> {
  try {
    return { flags: await (await openedFor(run)).of(task) };
  } catch (error) {
    opened.delete(run);
    return { why: messageOf(error) };
  }
}

function openedFor(run: OpenRun): Promise<TaskHealth> {
  const known = opened.get(run);
  if (known !== undefined) return known;
  const opening = import('../node/openHealth.ts').then(({ openHealth }) => openHealth(run.followed.reader));
  opened.set(run, opening);
  return opening;
}
