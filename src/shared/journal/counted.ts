/** Where attempts count: in the epoch that made them or, where their group was late (`rollouts.late`), in the next one. */

/** Tasks whose groups were late, by the epoch that attempted them. */
export type LateTasks = ReadonlyMap<number, readonly string[]>;

interface Place {
  task: string;
  epoch: number;
}

/** @param made the task, and the epoch that attempted it */
export const countedIn = (late: LateTasks, { task, epoch }: Place): number =>
  late.get(epoch)?.includes(task) === true ? epoch + 1 : epoch;

/** The epochs whose attempts at a task count in an epoch, in order: two where the task was drawn again. */
export const countedFrom = (late: LateTasks, { task, epoch }: Place): number[] =>
  [epoch - 1, epoch].filter((made) => countedIn(late, { task, epoch: made }) === epoch);

/** Which attempts of an epoch and of the one before count in it, for many of them. */
export function countsIn(late: LateTasks, epoch: number): (made: Place) => boolean {
  const before = new Set(late.get(epoch - 1));
  const own = new Set(late.get(epoch));
  return (made) => (made.epoch === epoch ? !own.has(made.task) : made.epoch === epoch - 1 && before.has(made.task));
}
