/**
 * The recipe that a domain file names: a domain that ships with GenEnv and provides the functions that the file lacks.
 */
import * as l10n from '@vscode/l10n';
import type { DomainBase } from '../benchmarks/recipes/recipe.ts';
import type { DomainFunctions } from '../domains/domainFunctions.ts';
import { faultSentence } from '../rewards/processes/answer.ts';
import { nearest } from '../shared/experiment/problems/nearest.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { recipeNames, recipeNameSchema, type RecipeName } from '../shared/experiment/tasks/shippedDomains.ts';
import type { Task } from '../shared/records/task.ts';
import { InputError } from './inputs/inputError.ts';
import { openComing } from './domains/openDomain.ts';
import type { ScorerRule } from '../benchmarks/scorerRule.ts';

type Named = Pick<DomainFunctions, 'has' | 'call'>;

/** Null where the file names none. @throws InputError */
export async function recipeOf(functions: Named, file: string): Promise<RecipeName | null> {
  if (!functions.has('recipe')) return null;
  const reply = await functions.call('recipe');
  if ('fault' in reply)
    throw problem(file, `“recipe” failed: ${faultSentence(reply.fault)}.`, l10n.t('Export a text.'));
  const name = recipeNameSchema.safeParse(reply.value);
  if (name.success) return name.data;
  const near = typeof reply.value === 'string' ? nearest(reply.value, recipeNames) : null;
  const remedy =
    near === null ? l10n.t('Name one of {0}.', recipeNames.join(', ')) : l10n.t('Did you mean “{0}”?', near);
  throw problem(file, l10n.t('There is no recipe {0}.', JSON.stringify(reply.value)), remedy);
}

interface BaseNeeds {
  experiment: Experiment;
  seeds: readonly Task[];
  heldOut: readonly Task[];
  rules: ScorerRule;
}

/** The domain behind a file; null where it names none. @throws InputError, also for seed tasks that it cannot vary */
export async function openBase(functions: Named, file: string, needs: BaseNeeds): Promise<DomainBase | null> {
  const name = await recipeOf(functions, file);
  if (name === null) return null;
  const { experiment, seeds, heldOut, rules } = needs;
  const given = { seeds: seeds.length === 0 ? null : [...seeds], heldOut: [...heldOut] };
  const base = await openComing(name, experiment, given, { rules, writes: true });
  if (base === null) throw new Error(`Unreachable: ${name} comes with GenEnv.`);
  if (experiment.mode === 'offline') return base;
  for (const task of seeds) {
    const misfit = base.misfit(task);
    if (misfit === null) continue;
    const message = l10n.t('The seed task {0} is none for the recipe {1}: {2}.', task.id, name, misfit);
    throw problem(file, message, l10n.t('Take it out, or name another recipe.'));
  }
  return base;
}

/** Tasks of a domain's own, as the text of a task file: for a file that brings none. Null where the recipe has none. */
export async function ownTasks(
  name: RecipeName | null,
  split: 'base' | 'heldOut',
  experiment: Experiment,
  rules: ScorerRule,
): Promise<string | null> {
  if (name !== 'storekeeper' && name !== 'stories') return null;
  const base = await openComing(name, experiment, { seeds: null, heldOut: null }, { rules, writes: false });
  const tasks = base?.seeds(split === 'base' ? 'base' : 'validation') ?? [];
  return `${tasks
    .map(({ id, prompt, evaluation, gold, complexity, plan }) =>
      JSON.stringify({ id, prompt, evaluation, gold, complexity, plan }),
    )
    .join('\n')}\n`;
}

const problem = (file: string, message: string, remedy: string): InputError =>
  new InputError([{ file, line: 1, column: 1, field: 'domain.file', message, remedy, severity: 'error' }]);
