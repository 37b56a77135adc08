/** The recipes by the names of their domains: a further one is one line here. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Tables } from '../apiBank/tools/tables.ts';
import type { Recipe } from './recipe.ts';
import type { ScorerRule } from '../scorerRule.ts';

type DomainName = Experiment['domain']['name'];

/** Everything that recipes work with. */
interface RecipeParts {
  /** Judges the benchmark's tasks. */
  rule: ScorerRule;
  /** Folders of the benchmark's own files that tasks will be written by; none where tasks are only looked at. */
  folders: readonly string[];
}

/** Loaded with the first run that asks for it. */
const openers: Readonly<Partial<Record<DomainName, (parts: RecipeParts) => Promise<Recipe>>>> = {
  bfcl: async ({ rule }) => new (await import('./bfcl/bfcl.ts')).BfclRecipe(rule),
  'api-bank': async ({ rule, folders }) => {
    const { readTables } = await import('../apiBank/tools/tables.ts');
    const tables = new Map<string, Tables>();
    for (const folder of folders) tables.set(folder, await readTables(folder));
    return new (await import('./apiBank.ts')).ApiBankRecipe(rule, tables);
  },
  bamboogle: async ({ rule }) => new (await import('./bamboogle.ts')).BamboogleRecipe(rule),
  alfworld: async () => new (await import('./alfworld.ts')).AlfworldRecipe(),
  travelplanner: async ({ rule }) => new (await import('./travelPlanner.ts')).TravelPlannerRecipe(rule),
};

/** Of a domain that is a benchmark; null of any other. @throws OptionError naming a file that is missing */
export async function openRecipe(name: DomainName, parts: RecipeParts): Promise<Recipe | null> {
  return (await openers[name]?.(parts)) ?? null;
}
