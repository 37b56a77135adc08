/** The place of a target in the Runs tree. */
import { countedIn } from '../../../shared/journal/counted.ts';
import type { OpenRun } from '../openRun.ts';
import type { RunTarget } from '../target.ts';
import type { ShownFamilies } from './shownFamilies.ts';

/** Fills in the ids above a family, task or trace. Late groups stand in the epoch in which they count. @throws RunError */
export async function placeOf(
  { run, epoch, family, task, trace }: RunTarget,
  { followed: { state } }: OpenRun,
  families: Pick<ShownFamilies, 'all'>,
): Promise<Omit<RunTarget, 'run'>> {
  const [, purpose, tried, triedTask] = /^([evkb])(\d+)\/(.+)\/r\d+$/.exec(trace ?? '') ?? [];
  const taskId = task ?? triedTask;
  const written = /^e(\d+)\./.exec(family ?? taskId ?? '')?.[1];
  const at = epoch ?? tried ?? written;
  if (at === undefined) return { family, task: taskId, trace };
  const made = Number(at);
  const found = { epoch: made, family, task: taskId, trace };
  if (family === undefined && taskId === undefined) return found;
  const counted = countedIn(state.late, { task: taskId ?? '', epoch: Number(tried ?? at) });
  for (const place of purpose === 'e' ? [counted] : [made, ...(state.late.has(made) ? [made + 1] : [])]) {
    const all = await families.all(run, place);
    const own = all.find(({ id, tasks }) =>
      family === undefined ? tasks.some((one) => one.id === taskId) : id === family,
    );
    if (own !== undefined) return { ...found, epoch: place, family: own.id };
  }
  return { ...found, epoch: counted };
}
