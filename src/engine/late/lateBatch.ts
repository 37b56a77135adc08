/** Late tasks of an epoch that a branch shares, by their ids in the journal: the branch may draw another batch than the run that made the epoch. */
import type { Task } from '../../shared/records/task.ts';
import type { Loop } from '../loop.ts';
import type { Batch } from '../phases/batch.ts';

/** @param late their ids, as the journal has them. Those that people excluded since are left out */
export async function lateBatch(loop: Loop, epoch: number, late: readonly string[]): Promise<Batch> {
  const written = await loop.tasksOf(epoch);
  const given = [...loop.base, ...loop.edited(loop.ports.offlineTasks ?? [])];
  const found = new Map<string, Task>();
  const look = (tasks: readonly Task[]): boolean => {
    for (const task of tasks) if (task.status === 'accepted') found.set(task.id, task);
    return late.every((id) => found.has(id));
  };
  let isWhole = look([...given, ...written]);
  for (let earlier = epoch - 1; earlier > 0 && !isWhole; earlier--) isWhole = look(await loop.tasksOf(earlier));
  const tasks = late.flatMap((id) => found.get(id) ?? []);
  // Without texts of its own an epoch has families that were written before it, or elsewhere, and no pool tasks.
  const isCalibrated = ({ epoch: own, origin }: Task): boolean =>
    written.length > 0 ? own === epoch : origin === 'generated' || origin === 'offline';
  return { calibrated: tasks.filter(isCalibrated), mixed: tasks.filter((task) => !isCalibrated(task)) };
}
