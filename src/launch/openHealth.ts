import { StorekeeperScorer } from '../benchmarks/storekeeper/scorer.ts';
import { careful } from '../engine/carefulScorer.ts';
import type { TaskHealth } from '../runs/health/health.ts';
import { RunHealth } from '../runs/health/runHealth.ts';
import type { RunReader } from '../runs/runReader.ts';
import { readInputs } from './inputs.ts';
import { openDomain } from './openDomain.ts';

/** Health of a run's tasks, judged by the run's own domain and scorer. @throws InputError */
export async function openHealth(run: RunReader): Promise<TaskHealth> {
  const { experiment } = run.manifest;
  const inputs = await readInputs(run.dir, experiment);
  const domain = await openDomain(experiment, inputs);
  const given = [...domain.seeds('base'), ...domain.seeds('validation'), ...(inputs.offline ?? [])];
  return new RunHealth(run, { domain, scorer: careful(new StorekeeperScorer()), given });
}
