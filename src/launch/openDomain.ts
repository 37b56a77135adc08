/** From an experiment to its domain, and to the tasks that a run works with but does not write itself. */
import { GivenTasks } from '../benchmarks/given/domain.ts';
import { importedTasks } from '../benchmarks/given/imported.ts';
import { StorekeeperDomain } from '../benchmarks/storekeeper/domain.ts';
import type { Domain, Scorer } from '../engine/ports.ts';
import type { RunReader } from '../runs/runReader.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { Task } from '../shared/records/task.ts';
import { readInputs, type Inputs } from './inputs.ts';
import { isBuiltIn, openScorer } from './openScorer.ts';

/** Its tasks are written a little at a time: the editor's own thread may ask for them. */
export async function openDomain(experiment: Experiment, inputs: Inputs): Promise<Domain> {
  const { seeds } = inputs;
  if (seeds !== null && !seeds.every(isBuiltIn)) return new GivenTasks(seeds, await openScorer(null, seeds));
  return StorekeeperDomain.open({
    baseTasks: seeds ?? experiment.domain.baseTasks,
    validationTasks: experiment.validation.tasks,
    multiTurn: experiment.rollouts.maxTurns > 1,
  });
}

type Run = Pick<RunReader, 'dir' | 'manifest'>;

/** The domain of a run's tasks, and the rules that judge them. @throws InputError */
export async function domainOf({ dir, manifest }: Run): Promise<{ domain: Domain; scorer: Scorer; given: Task[] }> {
  const { experiment, imported } = manifest;
  if (imported !== null) return { domain: importedTasks, scorer: await openScorer(null), given: [] };
  const inputs = await readInputs(dir, experiment);
  const domain = await openDomain(experiment, inputs);
  const given = [...domain.seeds('base'), ...domain.seeds('validation'), ...(inputs.offline ?? [])];
  return { domain, scorer: await openScorer(null, inputs.seeds, inputs.offline), given };
}

/** Base, validation and offline tasks of a run: its records refer to them by id. @throws InputError */
export const givenTasks = async (run: Run): Promise<Task[]> => (await domainOf(run)).given;
