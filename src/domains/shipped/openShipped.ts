/** The domains that ship as domain files and run right here, by their names. */
import type { Task } from '../../shared/records/task.ts';
import { RecipeDomain } from '../../benchmarks/recipes/domain.ts';
import { ownSeeds, ShippedRecipe, type ShippedFunctions } from './shippedRecipe.ts';
import type { ScorerRule } from '../../benchmarks/scorerRule.ts';

/** Loaded with the first run that asks for it. */
const openers: Readonly<Record<string, () => Promise<ShippedFunctions>>> = {
  stories: () => import('./stories.domain.ts'),
};

interface ShippedParts {
  rules: ScorerRule;
  /** A person's own; those of the domain where there are none. */
  base: readonly Task[] | null;
  heldOut: readonly Task[] | null;
  /** How many of the domain's own are used at most. */
  most: { base: number; heldOut: number };
}

/** Null of a name that is none of them. */
export async function openShipped(name: string, parts: ShippedParts): Promise<RecipeDomain | null> {
  const functions = Object.hasOwn(openers, name) ? await openers[name]?.() : undefined;
  if (functions === undefined) return null;
  const { rules, base, heldOut, most } = parts;
  const tasks = {
    base: base ?? ownSeeds(functions, 'base').slice(0, most.base),
    heldOut: heldOut ?? ownSeeds(functions, 'heldOut').slice(0, most.heldOut),
  };
  return new RecipeDomain(new ShippedRecipe(name, functions, rules), tasks);
}
