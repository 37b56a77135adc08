import { careful } from '../engine/carefulScorer.ts';
import type { TaskHealth } from '../runs/health/health.ts';
import { RunHealth } from '../runs/health/runHealth.ts';
import type { RunReader } from '../runs/runReader.ts';
import { domainOf } from './openDomain.ts';

/** Health of a run's tasks, judged by the run's own domain and scorer. @throws InputError */
export async function openHealth(run: RunReader): Promise<TaskHealth> {
  const { domain, scorer, given } = await domainOf(run);
  return new RunHealth(run, { domain, scorer: careful(scorer), given });
}
