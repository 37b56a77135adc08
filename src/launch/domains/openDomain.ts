/** From an experiment to its domain, and to the tasks that a run works with but does not write itself. */
import { GivenTasks } from '../../benchmarks/given/domain.ts';
import { importedTasks } from '../../benchmarks/given/imported.ts';
import { AdapterRecipe } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import { RecipeDomain } from '../../benchmarks/recipes/domain.ts';
import type { DomainBase } from '../../benchmarks/recipes/recipe.ts';
import { openRecipe } from '../../benchmarks/recipes/openRecipe.ts';
import { StorekeeperDomain } from '../../benchmarks/storekeeper/domain.ts';
import { openShipped } from '../../domains/shipped/openShipped.ts';
import type { LocalDomain } from '../../engine/ports.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import { mixture } from '../../domains/mixture.ts';
import { domainName } from '../../shared/domains/domainFile.ts';
import { severalDomains, withDomain } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import { readEvaluationTasks } from '../inputs/evaluation.ts';
import { noInputs, readInputs, type Inputs } from '../inputs/inputs.ts';
import { isBuiltIn, openScorer } from '../scoring/openScorer.ts';
import type { ScorerRule } from '../../benchmarks/scorerRule.ts';

/** The inputs for opening a domain. */
interface DomainNeeds {
  /** Judges the tasks of the inputs. */
  rules: ScorerRule;
  /** Whether tasks will be written, which may take files of a benchmark. */
  writes: boolean;
}

/**
 * Its tasks are written a little at a time: the editor's own thread may ask for them.
 * @throws OptionError naming a file of a benchmark that is needed and missing
 */
export async function openDomain(experiment: Experiment, inputs: Inputs, needs: DomainNeeds): Promise<LocalDomain> {
  const several = severalDomains(experiment);
  if (several === null) return openOne(experiment, inputs, needs);
  const parts = [];
  for (const part of several) {
    const own = { ...noInputs, ...inputs.domains?.get(part.name) };
    parts.push({ name: part.name, domain: await openOne(withDomain(experiment, part), own, needs) });
  }
  return mixture(parts, new GivenTasks([], needs.rules));
}

async function openOne(experiment: Experiment, inputs: Inputs, needs: DomainNeeds): Promise<LocalDomain> {
  const { seeds, heldOut, adapter } = inputs;
  if (adapter != null) {
    const recipe = new AdapterRecipe(domainName(experiment.domain.file ?? adapter.name), adapter, needs.rules);
    return new RecipeDomain(recipe, { base: seeds ?? [], heldOut: heldOut ?? [] });
  }
  const own = [...(seeds ?? []), ...(heldOut ?? [])];
  const given = experiment.domain.name === 'storekeeper' && seeds !== null && !own.every(isBuiltIn);
  const coming = given ? null : await openComing(experiment.domain.name, experiment, inputs, needs);
  return coming ?? new GivenTasks(seeds ?? [], needs.rules, heldOut ?? []);
}

/**
 * A domain that comes with GenEnv and is asked right here: by itself, or behind a domain file that names it as its
 * recipe. Null of any other name. @throws OptionError naming a file of a benchmark that is needed and missing
 */
export async function openComing(
  name: Experiment['domain']['name'],
  experiment: Experiment,
  { seeds, heldOut }: Pick<Inputs, 'seeds' | 'heldOut'>,
  { rules, writes }: DomainNeeds,
): Promise<DomainBase | null> {
  const data = writes ? (seeds ?? []).map(({ evaluation }) => evaluation['data']) : [];
  const folders = [...new Set(data.filter((one) => typeof one === 'string'))];
  const shipped = await openShipped(name, {
    rules,
    base: seeds,
    heldOut,
    most: { base: experiment.domain.baseTasks, heldOut: experiment.validation.tasks },
  });
  if (shipped !== null) return shipped;
  const recipe = await openRecipe(name, { rule: rules, folders });
  if (recipe !== null) return new RecipeDomain(recipe, { base: seeds ?? [], heldOut: heldOut ?? [] });
  if (name !== 'storekeeper') return null;
  return StorekeeperDomain.open({
    seed: experiment.domain.taskSeed,
    baseTasks: seeds ?? experiment.domain.baseTasks,
    validationTasks: heldOut ?? experiment.validation.tasks,
    multiTurn: experiment.rollouts.maxTurns > 1,
  });
}

type Run = Pick<RunReader, 'dir' | 'manifest'>;

/** The domain of a run's tasks, and the rules that judge them. @throws InputError */
export async function domainOf({
  dir,
  manifest,
}: Run): Promise<{ domain: LocalDomain; scorer: ScorerRule; given: Task[] }> {
  const { experiment, imported } = manifest;
  if (imported !== null) return { domain: importedTasks, scorer: await openScorer(null), given: [] };
  const inputs = await readInputs(dir, experiment);
  const measured = (await readEvaluationTasks(experiment, dir))?.tasks ?? [];
  const scorer = await openScorer(null, inputs.seeds, inputs.heldOut, inputs.offline, measured);
  const domain = await openDomain(experiment, inputs, { rules: scorer, writes: false });
  const own = [...domain.seeds('base'), ...domain.seeds('validation'), ...(inputs.offline ?? [])];
  const known = new Set(own.map(({ id }) => id));
  const given = [...own, ...measured.filter(({ id }) => !known.has(id))];
  return { domain, scorer, given };
}

/** Base, validation and offline tasks of a run: its records refer to them by id. @throws InputError */
export const givenTasks = async (run: Run): Promise<Task[]> => (await domainOf(run)).given;
