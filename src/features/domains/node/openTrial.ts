/** The current domain file, ready to be tested outside of a run: its own processes, its seed tasks, its judge. */
import { basename, resolve } from 'node:path';
import { AdapterRecipe, type WritingAdapter } from '../../../benchmarks/adapter/recipe/adapterRecipe.ts';
import { RecipeDomain } from '../../../benchmarks/recipes/domain.ts';
import type { DomainFunctions } from '../../../domains/domainFunctions.ts';
import { FileDomain } from '../../../domains/fileDomain.ts';
import { programsOf } from '../../../domains/programs/programLeader.ts';
import { WatchedFunctions } from '../../../domains/watchedFunctions.ts';
import type { Judge } from '../../../engine/ports.ts';
import { domainName } from '../../../shared/domains/domainFile.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Task } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';
import { loadDomain, openDomainHost } from '../../../launch/domains/domainFile.ts';
import { heldOutLike, type HeldOutLike } from '../../../launch/inputs/heldOutLike.ts';
import type { OnLeftOut } from '../../../shared/leftOutTasks.ts';
import type { ProgramTasks } from '../../../launch/inputs/programTasks.ts';
import { parsed, readTaskText } from '../../../launch/inputs/taskText.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import { openBase } from '../../../launch/recipeOf.ts';
import { judgeOf, openReward } from '../../../launch/scoring/reward.ts';
import type { ScorerRule } from '../../../benchmarks/scorerRule.ts';

export interface DomainTrial {
  /** Absolute path of the domain file. */
  file: string;
  experiment: Experiment;
  /** The output of its calls, and where they failed. */
  functions: WatchedFunctions;
  /** Names of the functions that the file exports. */
  exported: readonly string[];
  domain: FileDomain;
  base: readonly Task[];
  heldOut: readonly Task[];
  /** The held-out task that a task repeats, as a run compares them. */
  heldOutLike: HeldOutLike;
  rules: ScorerRule;
  /** The experiment's reward file, else the domain's own judge; null where rules judge. */
  judge: Judge | null;
  close(): void;
}

/** An experiment of nothing but a domain file, with the default limits. */
export function soloExperiment(file: string, seeds: string | null = null): Experiment {
  const { default: preset } = presets;
  return { ...preset, domain: { ...preset.domain, name: 'file', file, seeds, heldOut: null } };
}

/** @param directory that relative paths of the experiment start at. @throws InputError at the line that does not load */
export async function openDomainTrial(
  experiment: Experiment,
  directory: string,
  dist: URL,
  onLeftOut: OnLeftOut = () => undefined,
): Promise<DomainTrial> {
  const { file, seeds, heldOut } = experiment.domain;
  const loaded = await loadDomain(experiment, directory, dist, { trial: true });
  if (file === null || loaded === null) throw new Error('Unreachable: the experiment names a domain file.');
  const main = resolve(directory, file);
  const given = { main, onLeftOut };
  const base = await tasksOf('base', seeds === null ? null : resolve(directory, seeds), { ...given, by: loaded.base });
  const held = heldOut === null ? null : resolve(directory, heldOut);
  const validation = await tasksOf('validation', held, { ...given, by: loaded.heldOut });
  const like = await heldOutLike(experiment, validation, false, loaded.adapter);
  const rules = await openScorer(dist, base, validation);
  const { reward } = experiment;
  const openOwn = async () =>
    reward.file === null ? null : openReward(experiment, resolve(directory, reward.file), dist, 1);
  if (loaded.adapter !== undefined) {
    return adapterTrial({ main, experiment, base, validation, like, rules, own: await openOwn() }, loaded.adapter);
  }
  const host = await openDomainHost(experiment, main, dist, 1);
  try {
    const functions = new WatchedFunctions(host);
    const behind = await openBase(host, main, { experiment, seeds: base, heldOut: validation, rules });
    const programs = programsOf(main, functions, reward.file !== null);
    const domain = new FileDomain(main, functions, { base, heldOut: validation }, rules, {
      ...defined({ leader: programs }),
      base: behind,
    });
    const own = await openOwn();
    return {
      ...{ file: main, experiment, functions, exported: host.functions, domain, base, heldOut: validation, rules },
      heldOutLike: like,
      judge: own === null ? domain.judge : judgeOf(own),
      close: () => {
        programs?.close();
        host.dispose();
        own?.dispose();
      },
    };
  } catch (error) {
    host.dispose();
    throw error;
  }
}

/** An adapter's recipe: nothing of it runs in a process, except a reward file. */
function adapterTrial(
  { main, experiment, base, validation, like, rules, own }: OfAdapter,
  adapter: WritingAdapter,
): DomainTrial {
  const tasks = { base, heldOut: validation };
  const recipe = new RecipeDomain(new AdapterRecipe(domainName(main), adapter, rules), tasks);
  const functions = new WatchedFunctions(noFunctions);
  const domain = new FileDomain(main, functions, tasks, rules, { base: recipe });
  return {
    ...{ file: main, experiment, functions, exported: [], domain, base, heldOut: validation, rules },
    heldOutLike: like,
    judge: own === null ? null : judgeOf(own),
    close: () => own?.dispose(),
  };
}

interface OfAdapter {
  main: string;
  experiment: Experiment;
  base: readonly Task[];
  validation: readonly Task[];
  like: HeldOutLike;
  rules: ScorerRule;
  /** The experiment's reward file; null where rules judge. */
  own: Awaited<ReturnType<typeof openReward>> | null;
}

const noFunctions: DomainFunctions = {
  has: () => false,
  call: (name) => {
    throw new Error(`Unreachable: an adapter has no function “${name}”.`);
  },
};

/** Of a task file, or those that the domain gives. @throws InputError */
async function tasksOf(
  origin: 'base' | 'validation',
  file: string | null,
  { main, by, onLeftOut }: { main: string; by: ProgramTasks | null; onLeftOut: OnLeftOut },
): Promise<readonly Task[]> {
  const field = origin === 'base' ? 'domain.seeds' : 'domain.heldOut';
  const text = file === null ? by?.text : await readTaskText(file, field);
  if (text === undefined) return [];
  const from = file ?? main;
  const { tasks, leftOut } = parsed(text, from, origin, file === null ? by : null);
  if (leftOut.length > 0) onLeftOut({ file: basename(from), tasks: tasks.length, leftOut });
  return tasks;
}
