/** Whether a task is one that is held out, or nearly one. */
import { openRecipe } from '../benchmarks/recipes/openRecipe.ts';
import { likenesses, Overlaps } from '../benchmarks/recipes/overlaps.ts';
import { StorekeeperDomain } from '../benchmarks/storekeeper/domain.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { Task } from '../shared/records/task.ts';
import { isBuiltIn, openScorer } from './openScorer.ts';

/** The held-out task that a task is, and in what; null when there is none. */
type HeldOutLike = (task: Task) => { id: string; by: string } | null;

/**
 * Tasks of a benchmark's domain are compared by their wording, as what is written there is, others by what is asked.
 * @param nearly whether one that says nearly the same counts
 */
export async function heldOutLike(
  { domain }: Pick<Experiment, 'domain'>,
  heldOut: readonly Task[],
  nearly: boolean,
): Promise<HeldOutLike> {
  const recipe = await openRecipe(domain.name, { rule: await openScorer(null, heldOut), folders: [] });
  if (recipe !== null) {
    const overlaps = new Overlaps(heldOut, recipe, likenesses.heldOut);
    return (task) => (nearly ? overlaps.find(task) : overlaps.same(task));
  }
  const store = new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 });
  const keyOf = (task: Task): string =>
    isBuiltIn(task) ? store.fingerprint(task) : JSON.stringify([task.prompt, task.evaluation]);
  const known = new Map(heldOut.map((task) => [keyOf(task), task.id]));
  return (task) => {
    const id = known.get(keyOf(task));
    return id === undefined ? null : { id, by: 'it asks for the same' };
  };
}
