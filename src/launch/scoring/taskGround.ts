/** Tools and judge of attempts at one task of a run, outside of the run. */
import { careful } from '../../engine/carefulScorer.ts';
import type { Domain, Ports } from '../../engine/ports.ts';
import { StateFold } from '../../engine/state.ts';
import { experimentNow } from '../../runs/journal/experimentNow.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import { defined } from '../../shared/defined.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import { domainOf } from '../domains/openDomain.ts';
import type { ServerNeeds } from '../domains/openenv.ts';
import { openOwnPrograms } from './openJudged.ts';
import { openScorer } from './openScorer.ts';

/** A run as it is now. */
export interface RunNow {
  experiment: Experiment;
  domain: Domain;
  /** Last finished epoch. */
  epoch: number;
  /** Its folder; null where there is no run, and so no program of its own. */
  dir: string | null;
}

/** @throws RunError, InputError */
export async function runNow(run: RunReader): Promise<RunNow & { dir: string }> {
  const fold = new StateFold();
  for await (const event of run.events()) fold.add(event);
  const { domain } = await domainOf(run);
  return {
    experiment: experimentNow(run.manifest, fold.state),
    domain,
    epoch: fold.state.summaries.length,
    dir: run.dir,
  };
}

export interface TaskGround extends Pick<Ports, 'domain' | 'scorer' | 'judge'> {
  /** Ends its processes, and sessions on servers. */
  close: () => Promise<void>;
}

/** @throws InputError, and of a server EndpointError, KeyError */
export async function openGround(
  { experiment, domain, dir }: RunNow,
  task: Task,
  asks: ServerNeeds & { dist: URL },
): Promise<TaskGround> {
  const { dist } = asks;
  const rules = await openScorer(dist, [task]);
  const own = dir === null ? null : await openOwnPrograms(experiment, { asks, dist, dir, rules }, task);
  return {
    domain: own?.domain ?? domain,
    scorer: careful(rules),
    ...defined({ judge: own?.judge ?? undefined }),
    close: async () => own?.close(),
  };
}
