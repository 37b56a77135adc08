/**
 * A person's own domain in a run: read before the run is made, with its seed tasks and held-out tasks, and kept in its
 * `inputs/`, so that the run explains itself and is looked at without running anything.
 */
import * as l10n from '@vscode/l10n';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declaredFunctions } from '../../domains/declaredFunctions.ts';
import { DomainHost } from '../../domains/domainHost.ts';
import { faultSentence } from '../../rewards/processes/answer.ts';
import { RewardLoadError } from '../../rewards/processes/rewardLoadError.ts';
import { domainName } from '../../shared/domains/domainFile.ts';
import { programName } from '../../shared/experiment/tasks/shippedDomains.ts';
import { domainsOf, withDomain, type DomainPart } from '../../shared/experiment/tasks/domains.ts';
import { readOpenenv, type OpenenvSettings } from '../../shared/domains/openenv.ts';
import { loadAdapterDomain } from './adapterDomain.ts';
import { readSeeds } from '../../shared/domains/given.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { idInRun } from '../../shared/records/idInFile.ts';
import { parseTaskFile } from '../../shared/records/taskFile.ts';
import { InputError } from '../inputs/inputError.ts';
import { ProgramFault, programFiles } from './programFiles.ts';
import { openScorer } from '../scoring/openScorer.ts';
import type { ProgramTasks } from '../inputs/programTasks.ts';
import { ownTasks, recipeOf } from '../recipeOf.ts';
import { saidOf } from '../inputs/saidOf.ts';
import { domainFolder, keepFiles, loadedFiles, readKeptFiles } from '../inputs/keptFiles.ts';
import { insistOnCopy } from '../inputs/loadsFromCopy.ts';
import { pythonInUse } from './pythonInUse.ts';
import { reasoningGym, reasoningPython } from './reasoningPackage.ts';
import { unusable } from '../scoring/reward.ts';
import type { LoadedDomain } from './loadedDomain.ts';
import { strictText } from '../inputs/strictText.ts';

/** Without these a domain writes nothing, unless a recipe does it. */
const needed = ['environmentPrompt', 'parse'];

/** Domain files by the names of their domains. */
export type LoadedDomains = ReadonlyMap<string, LoadedDomain>;

/** Every domain file of an experiment. @throws InputError at the line that does not load, or for a missing file */
export async function loadDomains(experiment: Experiment, directory: string, dist: URL): Promise<LoadedDomains> {
  const loaded = new Map<string, LoadedDomain>();
  for (const part of domainsOf(experiment)) {
    const file = await saidOf(part, () => loadDomain(withDomain(experiment, part), directory, dist));
    if (file !== null) loaded.set(part.name, file);
  }
  return loaded;
}

/** Puts the copies into a new run's folder. */
export async function keepDomains(dir: string, experiment: Experiment, loaded: LoadedDomains): Promise<void> {
  for (const part of domainsOf(experiment)) {
    await keepFiles(dir, 'domain', loaded.get(part.name) ?? null, domainFolder(experiment, part));
  }
}

/**
 * Null where the experiment names none. @throws InputError at the line that does not load, or for a missing file
 * @param trial whether attempts are not made: programs need no permission then
 */
export async function loadDomain(
  experiment: Experiment,
  directory: string,
  dist: URL,
  { trial = false } = {},
): Promise<LoadedDomain | null> {
  const adapter = await loadAdapterDomain(experiment, directory);
  if (adapter !== null) return adapter;
  const { seeds, heldOut } = experiment.domain;
  const main = programPath(experiment.domain, directory, dist);
  if (main === null) return null;
  const needs = experiment.domain.name === 'reasoning' ? { [reasoningGym.name]: reasoningGym.version } : null;
  const host = await openDomainHost(needs === null ? experiment : patient(experiment), main, dist, 1, needs);
  try {
    const recipe = await recipeOf(host, main);
    const missing = recipe === null ? needed.filter((name) => !host.has(name)) : [];
    if (missing.length > 0 && experiment.mode !== 'offline') {
      const message = l10n.t('The domain has no {0}.', missing.map((name) => `“${name}”`).join(l10n.t(' and no ')));
      throw problem(main, message, l10n.t('Export it; docs/domains.md says what each function is given and gives.'));
    }
    const ofRecipe = async (split: 'base' | 'heldOut'): Promise<string | null> =>
      ownTasks(recipe, split, experiment, await openScorer(null));
    const base = seeds === null ? await tasksOf(host, main, 'base', () => ofRecipe('base')) : null;
    const programs = await filesOfPrograms(host, main, base ?? { path: resolve(directory, seeds ?? '') });
    if (programs !== null && !trial && !experiment.reward.network) throw closedNetwork(main);
    const files = await loadedFiles(main, [...new Set([...host.files, ...(programs ?? [])])]);
    await insistOnCopy(files, 'domain', main, (copy) => openDomainHost(experiment, copy, dist, 1, needs));
    const { kept, texts } = files;
    const served = await openenvOf(host, main);
    const other = ['step', 'program'].find((name) => host.has(name));
    if (served !== null && other !== undefined) {
      const message = l10n.t('The domain has both “openenv” and “{0}”.', other);
      throw problem(
        main,
        message,
        l10n.t('Keep the one that plays the episodes: the server, the file itself, or a program.'),
      );
    }
    return {
      ...{ kept: needs === null ? kept : { ...kept, packages: needs }, texts },
      base,
      heldOut: heldOut === null ? await tasksOf(host, main, 'heldOut', () => ofRecipe('heldOut')) : null,
      server: served === null ? null : { url: served.url, key: served.key },
    };
  } finally {
    host.dispose();
  }
}

/** Where a domain's functions stand; null where they need no process of their own. */
function programPath(domain: Experiment['domain'], directory: string, dist: URL): string | null {
  const name = programName(domain);
  if (name === null) return null;
  return domain.name === 'file' ? resolve(directory, name) : fileURLToPath(new URL(`domains/${name}`, dist));
}

/** Files that programs of attempts need; null where there are none. @throws InputError */
async function filesOfPrograms(
  host: DomainHost,
  main: string,
  base: Pick<ProgramTasks, 'text'> | { path: string },
): Promise<string[] | null> {
  if (!host.has('program')) return null;
  const [path, text] = 'text' in base ? [main, base.text] : [base.path, await strictText(base.path).catch(() => '')];
  const read = parseTaskFile(text, path, 'base');
  // Faults of the tasks are reported where they are read.
  const [first] = 'problems' in read ? [] : read.tasks;
  if (first === undefined) return [];
  try {
    return await programFiles(host, main, first);
  } catch (error) {
    if (!(error instanceof ProgramFault)) throw error;
    throw problem(error.at?.file ?? main, error.message, error.remedy, error.at);
  }
}

/** Functions of a file are cut off from the network; a separate program cannot be. */
const closedNetwork = (main: string): InputError =>
  problem(
    main,
    l10n.t('Its attempts are programs, which can reach the network, and the experiment does not allow that.'),
    l10n.t('Set "reward": { "network": true } in the experiment if you trust the program.'),
  );

/** The place of a domain's copies within the run's folder, and the number of domains that share the machine. */
export interface KeptDomain {
  folder: string;
  domains: number;
}

export const keptDomain = (experiment: Experiment, part: Pick<DomainPart, 'name'>): KeptDomain => ({
  folder: domainFolder(experiment, part),
  domains: experiment.domains?.length ?? 1,
});

/** The run's own copy, ready to be asked. @throws InputError */
export async function openKeptDomain(
  experiment: Experiment,
  dir: string,
  dist: URL,
  { folder, domains }: KeptDomain,
): Promise<{ file: string; host: DomainHost }> {
  const kept = await readKeptFiles(dir, 'domain', folder);
  const file = join(dir, folder, 'domain', kept.file);
  const workers = Math.max(1, Math.floor(Math.min(4, availableParallelism() - 1) / domains));
  return { file, host: await openDomainHost(experiment, file, dist, workers, kept.packages ?? null) };
}

/** Making one puzzle of each family takes time, and only trusted code makes them. */
const patient = ({ reward }: Pick<Experiment, 'reward'>): Pick<Experiment, 'reward'> => ({
  reward: { ...reward, seconds: Math.max(reward.seconds, 120) },
});

/** A domain file ready to be asked, with the limits of the experiment's reward. @throws InputError */
export async function openDomainHost(
  { reward }: Pick<Experiment, 'reward'>,
  file: string,
  dist: URL,
  workers: number,
  packages: Readonly<Record<string, string>> | null = null,
): Promise<DomainHost> {
  const { seconds, megabytes, network } = reward;
  const version = packages?.[reasoningGym.name];
  const python = version === undefined ? pythonInUse() : await reasoningPython(version);
  try {
    return await DomainHost.open(file, { dist, python, seconds, megabytes, network, workers });
  } catch (error) {
    throw error instanceof RewardLoadError ? unusable(error, file, 'domain.file') : error;
  }
}

/** The OpenEnv server that a file names; null where it names none. @throws InputError */
export async function openenvOf(host: DomainHost, file: string): Promise<OpenenvSettings | null> {
  if (!host.has('openenv')) return null;
  const reply = await host.call('openenv');
  if ('fault' in reply) {
    const { at } = reply.fault;
    throw problem(
      at?.file ?? file,
      l10n.t('“openenv” failed: {0}.', faultSentence(reply.fault)),
      l10n.t('Correct the file.'),
      at,
    );
  }
  const read = readOpenenv(reply.value);
  if ('value' in read) return read.value;
  throw problem(file, read.fault, l10n.t('Correct it; docs/domains.md, “OpenEnv servers”, lists the fields.'));
}

/** Tasks that the file gives, else its recipe; null for none. @throws InputError */
async function tasksOf(
  host: DomainHost,
  file: string,
  split: 'base' | 'heldOut',
  ofRecipe: () => Promise<string | null>,
): Promise<ProgramTasks | null> {
  if (!host.has('seeds')) {
    const own = await ofRecipe();
    // Shipped tasks have no faults that a person could correct.
    if (own !== null) return { text: own, given: [], leftOut: [] };
    if (split === 'heldOut') return null;
    throw problem(
      file,
      l10n.t('There are no seed tasks.'),
      l10n.t('Export “seeds”, or name a task file in domain.seeds.'),
    );
  }
  const reply = await host.call('seeds', split);
  if ('fault' in reply) {
    const { at } = reply.fault;
    throw problem(
      at?.file ?? file,
      l10n.t('“seeds” failed: {0}.', faultSentence(reply.fault)),
      l10n.t('Correct the file.'),
      at,
    );
  }
  const read = readSeeds(reply.written);
  const at = await seedsAt(file);
  if ('fault' in read)
    throw problem(file, l10n.t('“seeds” of “{0}”: {1}.', split, read.fault), l10n.t('Correct the file.'), at);
  if (read.value.length === 0 && split === 'base')
    throw problem(file, l10n.t('There are no seed tasks.'), l10n.t('Give some.'), at);
  const name = split === 'base' ? domainName(file) : `${domainName(file)}-held-out`;
  const tasks = read.value.map(({ id, draft }, i) => ({ id: id ?? `${name}-${i + 1}`, ...draft }));
  if (tasks.length === 0) return null;
  return {
    text: `${tasks.map((task) => JSON.stringify(task)).join('\n')}\n`,
    given: tasks.map(({ id }, i) => ({
      place: { file, ...at },
      name:
        split === 'base'
          ? l10n.t('seed task {0} ({1})', i + 1, idInRun(id, 'base'))
          : l10n.t('held-out task {0} ({1})', i + 1, idInRun(id, 'validation')),
    })),
    leftOut: [],
  };
}

/** Where a file begins its `seeds`; its start where that cannot be told. */
async function seedsAt(file: string): Promise<{ line: number; column: number }> {
  const line = declaredFunctions(await strictText(file).catch(() => '')).get('seeds') ?? 0;
  return { line: line + 1, column: 1 };
}

const problem = (
  file: string,
  message: string,
  remedy: string,
  at: { line: number; column: number } | null = null,
): InputError =>
  new InputError([
    { file, line: at?.line ?? 1, column: at?.column ?? 1, field: 'domain.file', message, remedy, severity: 'error' },
  ]);
