/** Texts of the families that count in an epoch: all of a family, those that became no task among them. */
import type { Task } from '../../shared/records/task.ts';
import type { Loop } from '../loop.ts';

/** Without late families of its own, with those of the epoch before. */
export async function textsCountedIn(
  { state, tasksOf }: Pick<Loop, 'tasksOf'> & { state: Pick<Loop['state'], 'late'> },
  epoch: number,
): Promise<readonly Task[]> {
  const own = await tasksOf(epoch);
  const [before, after] = [state.late.get(epoch - 1), state.late.get(epoch)];
  if (before === undefined && after === undefined) return own;
  const older = before === undefined ? [] : await tasksOf(epoch - 1);
  const joined = familiesOf(older, before);
  const gone = familiesOf(own, after);
  return [...older.filter(({ family }) => joined.has(family)), ...own.filter(({ family }) => !gone.has(family))];
}

function familiesOf(tasks: readonly Task[], ids: readonly string[] = []): ReadonlySet<string> {
  const late = new Set(ids);
  return new Set(tasks.filter(({ id }) => late.has(id)).map(({ family }) => family));
}
