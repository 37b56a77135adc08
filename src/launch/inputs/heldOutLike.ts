/** Whether a task is one that is held out, or nearly one. */
import * as l10n from '@vscode/l10n';
import { AdapterRecipe, type WritingAdapter } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import { openRecipe } from '../../benchmarks/recipes/openRecipe.ts';
import { likenesses, Overlaps } from '../../benchmarks/recipes/overlaps.ts';
import { StorekeeperDomain } from '../../benchmarks/storekeeper/domain.ts';
import { textKey } from '../../domains/textKey.ts';
import { severalDomains, withDomain } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import { isBuiltIn, openScorer } from '../scoring/openScorer.ts';

/** The held-out task that a task equals or resembles, and in which way; null for none. */
export type HeldOutLike = (task: Task) => { id: string; by: string } | null;

/**
 * Whether a task is one that its domain holds out, or another domain of the experiment.
 * @param nearly whether one that says nearly the same counts
 * @param adapter the domain, where it is an adapter's recipe
 */
export async function heldOutLike(
  experiment: Experiment,
  heldOut: readonly Task[],
  nearly: boolean,
  adapter?: WritingAdapter,
): Promise<HeldOutLike> {
  const several = severalDomains(experiment);
  if (several === null) return likeOfDomain(experiment, heldOut, nearly, adapter);
  const byDomain = new Map<string, HeldOutLike>();
  for (const part of several) {
    const own = heldOut.filter(({ domain }) => domain === undefined || domain === part.name);
    byDomain.set(part.name, await likeOfDomain(withDomain(experiment, part), own, nearly));
  }
  const anywhere = sameAs(heldOut);
  return (task) => byDomain.get(task.domain ?? '')?.(task) ?? anywhere(task);
}

/** Tasks of a benchmark's domain are compared by their wording, as written ones are; others by their question. */
async function likeOfDomain(
  { domain }: Pick<Experiment, 'domain'>,
  heldOut: readonly Task[],
  nearly: boolean,
  adapter?: WritingAdapter,
): Promise<HeldOutLike> {
  const rule = await openScorer(null, heldOut);
  const recipe =
    adapter === undefined
      ? await openRecipe(domain.name, { rule, folders: [] })
      : new AdapterRecipe(domain.name, adapter, rule);
  if (recipe !== null) {
    const overlaps = new Overlaps(heldOut, recipe, likenesses.heldOut);
    return (task) => (nearly ? overlaps.find(task) : overlaps.same(task));
  }
  return sameAs(heldOut);
}

/** Tasks of any domain: of one form for all, since one that another domain holds out is held out. */
export function sameAs(heldOut: readonly Task[]): HeldOutLike {
  const store = new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 });
  const keyOf = (task: Task): string =>
    isBuiltIn(task) ? store.fingerprint(task) : textKey(task.prompt, task.evaluation);
  const known = new Map(heldOut.map((task) => [keyOf(task), task.id]));
  return (task) => {
    const id = known.get(keyOf(task));
    return id === undefined ? null : { id, by: l10n.t('it asks for the same') };
  };
}
