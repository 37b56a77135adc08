/**
 * A domain with its judge: writes, poses and plays tasks, and judges in the scorer's place where it can; includes a
 * user's own programs.
 */
import { GivenTasks } from '../../benchmarks/given/domain.ts';
import { FileDomain, type DomainTasks } from '../../domains/fileDomain.ts';
import { programsOf } from '../../domains/programs/programLeader.ts';
import { judgeOfParts, mixture, type Part } from '../../domains/mixture.ts';
import type { Domain, Judge } from '../../engine/ports.ts';
import { domainName } from '../../shared/domains/domainFile.ts';
import { isProgram } from '../../shared/experiment/tasks/shippedDomains.ts';
import { domainsOf, severalDomains, withDomain } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import { defined } from '../../shared/defined.ts';
import { keptDomain, openenvOf, openKeptDomain, type KeptDomain } from '../domains/domainFile.ts';
import { noInputs, type Inputs } from '../inputs/inputs.ts';
import { openDomain } from '../domains/openDomain.ts';
import { openBase } from '../recipeOf.ts';
import { openOpenenv, sameServer, type ServerNeeds } from '../domains/openenv.ts';
import { openJudge } from './reward.ts';
import type { ScorerRule } from '../../benchmarks/scorerRule.ts';

/** A run's programs written by the user. */
interface OwnPrograms {
  /** Null where the domain comes with this program. */
  domain: FileDomain | null;
  /** The reward file where one is named, else the domain file's own; null where the scorer judges. */
  judge: Judge | null;
  /** Ends the processes, and sessions on servers. */
  close(): Promise<void>;
}

interface Needs {
  dir: string;
  dist: URL;
  rules: ScorerRule;
  /** Stands before anything is written into the folder; absent where nothing is. @throws RunError `in-use` */
  fence?: () => Promise<void>;
  /** Connection settings of an OpenEnv server; null where none is used. */
  asks: ServerNeeds | null;
}

/** Those that attempt and judge one task, by its domain. @throws InputError, and of a server EndpointError, KeyError */
export async function openOwnPrograms(
  experiment: Experiment,
  needs: Needs,
  { domain }: Pick<Task, 'domain'>,
): Promise<OwnPrograms> {
  const reward = await openJudge(experiment, needs.dir, needs.dist);
  const own = await openOwnDomain(experiment, needs, { domain });
  const close = async (): Promise<void> => {
    reward?.close();
    await own?.close();
  };
  return { domain: own?.domain ?? null, judge: reward ?? own?.domain.judge ?? null, close };
}

/** The file that a task's domain is; null where that comes with this program, and for a task of none of several domains. */
export async function openOwnDomain(
  experiment: Experiment,
  needs: Needs,
  { domain }: Pick<Task, 'domain'>,
): Promise<{ domain: FileDomain; close(): Promise<void> } | null> {
  const domains = domainsOf(experiment);
  const part = experiment.domains === undefined ? domains[0] : domains.find(({ name }) => name === domain);
  if (part === undefined) return null;
  return openFile(withDomain(experiment, part), needs, keptDomain(experiment, part));
}

/** A domain file's copy, ready to be asked; null where the domain comes with this program. */
async function openFile(
  experiment: Experiment,
  { dir, dist, rules, fence, asks }: Needs,
  kept: KeptDomain,
  tasks: DomainTasks = { base: [], heldOut: [] },
): Promise<{ domain: FileDomain; close(): Promise<void> } | null> {
  if (!isProgram(experiment.domain)) return null;
  const { file, host } = await openKeptDomain(experiment, dir, dist, kept);
  const programs = programsOf(file, host, experiment.reward.file !== null);
  const close = (): Promise<void> => {
    programs?.close();
    host.dispose();
    return Promise.resolve();
  };
  try {
    const { base: seeds, heldOut } = tasks;
    const base = await openBase(host, file, { experiment, seeds, heldOut, rules });
    const leader = { ...defined({ leader: programs }), base };
    const settings = asks === null ? null : await openenvOf(host, file);
    if (settings === null || asks === null) return { domain: new FileDomain(file, host, tasks, rules, leader), close };
    const server = await openOpenenv(settings, asks);
    const closed = async (): Promise<void> => {
      await server.close();
      await close();
    };
    try {
      await sameServer(server, { dir, name: domainName(file), fence: fence ?? null });
    } catch (error) {
      await server.close();
      throw error;
    }
    const played = { server, solvedAt: settings.solvedAt };
    return { domain: new FileDomain(file, host, tasks, rules, { ...leader, played }), close: closed };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The domain, scorer and judge of a run's tasks. @throws InputError */
export async function openJudged(
  experiment: Experiment,
  { inputs, ...needs }: Needs & { inputs: Inputs },
): Promise<Omit<OwnPrograms, 'domain'> & { domain: Domain }> {
  const reward = await openJudge(experiment, needs.dir, needs.dist);
  const parts: Part<Domain>[] = [];
  const judges = new Map<string, Judge>();
  const open: { close(): void | Promise<void> }[] = reward === null ? [] : [reward];
  const close = async (): Promise<void> => {
    for (const one of open) await one.close();
  };
  const several = severalDomains(experiment);
  try {
    for (const part of domainsOf(experiment)) {
      const alone = withDomain(experiment, part);
      const own = several === null ? inputs : { ...noInputs, ...inputs.domains?.get(part.name) };
      const tasks = { base: own.seeds ?? [], heldOut: own.heldOut ?? [] };
      const file = await openFile(alone, needs, keptDomain(experiment, part), tasks);
      if (file !== null) open.push(file);
      const domain = file?.domain ?? (await openDomain(alone, own, { rules: needs.rules, writes: true }));
      parts.push({ name: part.name, domain });
      if (file?.domain.judge != null) judges.set(part.name, file.domain.judge);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [only] = parts;
  if (several === null && only !== undefined) {
    return { domain: only.domain, judge: reward ?? judges.get(only.name) ?? null, close };
  }
  const domain = mixture(parts, new GivenTasks([], needs.rules));
  return { domain, judge: reward ?? judgeOfParts(judges, needs.rules), close };
}
