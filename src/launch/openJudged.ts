/** A domain that works (writes, poses, plays) with what judges in its scorer's place: programs of a person's own included. */
import type { ScorerRule } from '../benchmarks/scorerTable.ts';
import { FileDomain, type DomainTasks } from '../domains/fileDomain.ts';
import { programsOf } from '../domains/programs/programLeader.ts';
import type { Domain, Judge } from '../engine/ports.ts';
import { isProgram } from '../shared/experiment/shippedDomains.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { openKeptDomain } from './domainFile.ts';
import type { Inputs } from './inputs.ts';
import { openDomain } from './openDomain.ts';
import { openJudge } from './reward.ts';

/** What of a run is a person's own program. */
export interface OwnPrograms {
  /** Null where the domain comes with this program. */
  domain: FileDomain | null;
  /** The reward file where one is named, else the domain file's own; null where the scorer judges. */
  judge: Judge | null;
  /** Ends the processes. */
  close(): void;
}

/** @param tasks that the domain gives as its seeds. @throws InputError */
export async function openOwnPrograms(
  experiment: Experiment,
  { dir, dist, rules }: { dir: string; dist: URL; rules: ScorerRule },
  tasks: DomainTasks = { base: [], heldOut: [] },
): Promise<OwnPrograms> {
  const reward = await openJudge(experiment, dir, dist);
  if (!isProgram(experiment.domain)) return { domain: null, judge: reward, close: () => reward?.close() };
  const { file, host } = await openKeptDomain(experiment, dir, dist);
  const programs = programsOf(file, host, reward !== null);
  const domain = new FileDomain(file, host, tasks, rules, programs);
  const close = (): void => {
    reward?.close();
    programs?.close();
    host.dispose();
  };
  return { domain, judge: reward ?? domain.judge, close };
}

/** The same with the domain that comes with this program, where that is the run's. @throws InputError */
export async function openJudged(
  experiment: Experiment,
  { inputs, ...needs }: { dir: string; dist: URL; inputs: Inputs; rules: ScorerRule },
): Promise<Omit<OwnPrograms, 'domain'> & { domain: Domain }> {
  const own = await openOwnPrograms(experiment, needs, { base: inputs.seeds ?? [], heldOut: inputs.heldOut ?? [] });
  const domain = own.domain ?? (await openDomain(experiment, inputs, { rules: needs.rules, writes: true }));
  return { ...own, domain };
}
