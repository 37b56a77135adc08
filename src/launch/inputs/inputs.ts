/**
 * The task files an experiment names. A run keeps its own copies under `inputs/`, so that it explains itself and can be
 * resumed when the originals have moved or changed.
 */
import * as l10n from '@vscode/l10n';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AdapterRecipe, type WritingAdapter } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import { openRecipe } from '../../benchmarks/recipes/openRecipe.ts';
import type { Recipe } from '../../benchmarks/recipes/recipe.ts';
import { isJudgedInJobs } from '../../benchmarks/jobScorer.ts';
import { isPlayed } from '../../benchmarks/scorerTable.ts';
import { StorekeeperDomain } from '../../benchmarks/storekeeper/domain.ts';
import { handEditsOf, withHandEdits } from '../../runs/import/handEdits.ts';
import { Breather } from '../../runs/files/breather.ts';
import { append } from '../../shared/append.ts';
import { domainsOf, withDomain, type DomainPart } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import type { Task } from '../../shared/records/task.ts';
import { domainLanguage, domainName } from '../../shared/domains/domainFile.ts';
import { heldOutFile } from '../../shared/experiment/tasks/heldOut.ts';
import { programName } from '../../shared/experiment/tasks/shippedDomains.ts';
import { defined } from '../../shared/defined.ts';
import { keptAdapter } from '../domains/adapterDomain.ts';
import { InputError, ofName } from './inputError.ts';
import { domainFolder, inputsFolder } from './keptFiles.ts';
import { refuseLeaks } from './leaks.ts';
import type { OnLeftOut } from '../../shared/leftOutTasks.ts';
import type { ProgramTasks } from './programTasks.ts';
import { faultOf, parsed, readTaskText, type Origin, type Read } from './taskText.ts';
import { isBuiltIn, openScorer } from '../scoring/openScorer.ts';
import { atPart, saidOf } from './saidOf.ts';
import type { LoadedDomain } from '../domains/loadedDomain.ts';

/** Task files of one domain. */
interface DomainInputs {
  seeds: Task[] | null;
  heldOut: Task[] | null;
  /** The adapter whose recipe is the domain; absent where it is another. */
  adapter?: WritingAdapter;
}

export interface Inputs extends DomainInputs {
  offline: Task[] | null;
  /** Where the run has several domains: of each; `seeds` and `heldOut` are those of all. */
  domains?: ReadonlyMap<string, DomainInputs>;
}

/** Of an experiment that names no file. */
export const noInputs: Readonly<Inputs> = { seeds: null, heldOut: null, offline: null };

/** A file that an experiment names: its purpose, its field, and the place of a run's copy. */
interface Named {
  origin: Origin;
  file: string;
  field: string;
  /** Within the run's folder. */
  copy: string;
}

const copiesIn = (folder: string): Record<'seeds' | 'heldOut', string> => ({
  seeds: `${folder}/seeds.jsonl`,
  heldOut: `${folder}/heldOut.jsonl`,
});

/** Where a run keeps the task files of one domain, within its folder. */
export const copiesOf = (experiment: Experiment, part: DomainPart): Record<'seeds' | 'heldOut', string> =>
  copiesIn(domainFolder(experiment, part));

/** Task files of a domain, or the domain file that gives its tasks. */
function ofDomain({ domain }: Experiment, folder = inputsFolder): Named[] {
  const base = domain.seeds ?? programName(domain);
  const heldOut = heldOutFile(domain);
  const copies = copiesIn(folder);
  const seeds = { origin: 'base', field: 'domain.seeds', copy: copies.seeds } as const;
  const held = { origin: 'validation', field: 'domain.heldOut', copy: copies.heldOut } as const;
  return [
    ...(base === null ? [] : [{ ...seeds, file: base }]),
    ...(heldOut === null ? [] : [{ ...held, file: heldOut }]),
  ];
}

/** The file of tasks made elsewhere, where the mode reads one. */
export const offlineIn = ({ mode, generation }: Experiment): string | null =>
  mode === 'offline' ? generation.offlineFile : null;

/** A run's copy of it, within the run's folder. */
export const offlineCopy = `${inputsFolder}/offline.jsonl`;

function offlineOf(experiment: Experiment): Named[] {
  const file = offlineIn(experiment);
  return file === null ? [] : [{ origin: 'offline', field: 'generation.offlineFile', copy: offlineCopy, file }];
}

/** Task files that an experiment names, absolute. */
export const inputFiles = (experiment: Experiment, directory: string): string[] => [
  ...new Set(
    [...domainsOf(experiment).flatMap((part) => ofDomain(withDomain(experiment, part))), ...offlineOf(experiment)].map(
      ({ file }) => resolve(directory, file),
    ),
  ),
];

/** Places of a run's copies of tasks that a domain's program makes: another call may make others. */
export const madeByPrograms = (experiment: Experiment): ReadonlySet<string> =>
  new Set(
    domainsOf(experiment)
      .flatMap((part) => ofDomain(withDomain(experiment, part), domainFolder(experiment, part)))
      .flatMap(({ file, copy }) => (domainLanguage(file) === null ? [] : [copy])),
  );

/**
 * Texts of the files an experiment names, each read through and checked, by the place of the run's copy.
 * @throws InputError before anything is made
 */
export async function loadInputs(
  experiment: Experiment,
  directory: string,
  domains: ReadonlyMap<string, Pick<LoadedDomain, 'base' | 'heldOut' | 'adapter'>> = new Map(),
  onLeftOut: OnLeftOut = () => undefined,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const bases: { part: DomainPart; read: Read }[] = [];
  const heldOut = new Map<string, readonly Task[]>();
  for (const part of domainsOf(experiment)) {
    const alone = withDomain(experiment, part);
    await saidOf(part, async () => {
      for (const named of ofDomain(alone, domainFolder(experiment, part))) {
        const path = resolve(directory, named.file);
        const given = domains.get(part.name) ?? null;
        const isProgram = isProgramFile(named.file);
        const program = isProgram ? givenBy(given, named.origin) : null;
        if (isProgram && program === null) continue;
        const text = program?.text ?? (await readTasks(path, named));
        const read = parsed(text, path, named.origin, program);
        await check(read, named.origin, alone, given?.adapter);
        refuseGiven(read, named, alone);
        tell(read, named, part, onLeftOut);
        texts.set(named.copy, text);
        if (named.origin === 'base') bases.push({ part, read });
        else heldOut.set(part.name, read.tasks);
      }
    });
  }
  for (const { part, read } of bases) {
    const adapter = domains.get(part.name)?.adapter;
    await saidOf(part, () => refuseLeaks(read, { experiment, part, heldOut, ...defined({ adapter }) }));
  }
  for (const [copy, text] of await loadOffline(experiment, directory, heldOut, onLeftOut)) texts.set(copy, text);
  return texts;
}

function tell(read: Read, { file }: Named, part: Pick<DomainPart, 'field'>, onLeftOut: OnLeftOut): void {
  const leftOut = read.leftOut.map((one) => atPart(one, part));
  if (leftOut.length > 0) onLeftOut({ file, tasks: read.tasks.length, leftOut });
}

/**
 * The text of the file of tasks made elsewhere alone, where the mode reads one. @param heldOut tasks by their domain's name
 * @throws InputError
 */
export async function loadOffline(
  experiment: Experiment,
  directory: string,
  heldOut: ReadonlyMap<string, readonly Task[]>,
  onLeftOut: OnLeftOut = () => undefined,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const named of offlineOf(experiment)) {
    const path = resolve(directory, named.file);
    const text = await readTasks(path, named);
    const whole = parsed(text, path, 'offline');
    tell(whole, named, { field: 'domain' }, onLeftOut);
    for (const { part, read } of byDomain(whole, experiment)) {
      const alone = withDomain(experiment, part);
      await check(read, 'offline', alone);
      refuseGiven(read, named, alone);
      await refuseLeaks(read, { experiment, part, heldOut });
    }
    texts.set(named.copy, text);
  }
  return texts;
}

/** Tasks made elsewhere by the domain that each names, where there are several. @throws InputError */
function byDomain(read: Read, experiment: Experiment): { part: DomainPart; read: Read }[] {
  const domains = domainsOf(experiment);
  const [only] = domains;
  // Tasks of another run's domain are accepted.
  if (experiment.domains === undefined) return only === undefined ? [] : [{ part: only, read: withoutDomain(read) }];
  const names = domains.map(({ name }) => name);
  const problems = read.tasks.flatMap(({ domain }, i) => {
    if (domain !== undefined && names.includes(domain)) return [];
    const message =
      domain === undefined ? l10n.t('The task names no domain.') : l10n.t('The run has no domain “{0}”.', domain);
    const remedy = l10n.t('Add "domain" to the line: one of {0}.', names.join(', '));
    return [faultOf(read, i, 'domain', message, remedy)];
  });
  if (problems.length > 0) throw new InputError(problems);
  return domains.map((part) => {
    const rows = [...read.tasks.keys()].filter((i) => read.tasks[i]?.domain === part.name);
    const tasks = rows.flatMap((i) => read.tasks[i] ?? []);
    return { part, read: { ...read, tasks, lines: rows.map((i) => read.lines[i] ?? 1) } };
  });
}

function withoutDomain({ tasks, ...read }: Read): Read {
  const unnamed = tasks.map((task) => {
    const other = { ...task };
    delete other.domain;
    return other;
  });
  return { ...read, tasks: unnamed };
}

/** Whether the tasks are those that a domain file gives, and no task file. */
const isProgramFile = (file: string): boolean => domainLanguage(file) !== null || file.endsWith('.adapter.json');

const givenBy = (domain: Pick<LoadedDomain, 'base' | 'heldOut'> | null, origin: Origin): ProgramTasks | null =>
  origin === 'base' ? (domain?.base ?? null) : (domain?.heldOut ?? null);

/** A task file as people left it. */
async function readTasks(path: string, { field }: Named): Promise<string> {
  const edits = await handEditsOf(path);
  const recorded = await readTaskText(path, field);
  return edits === null ? recorded : withHandEdits(recorded, edits);
}

/** Puts the copies into a new run's folder. */
export async function keepInputs(dir: string, texts: ReadonlyMap<string, string>): Promise<void> {
  for (const [copy, text] of texts) {
    await mkdir(dirname(join(dir, copy)), { recursive: true });
    await writeFile(join(dir, copy), text);
  }
}

/** The run's own copies. @throws InputError when one is missing or was damaged */
export async function readInputs(dir: string, experiment: Experiment): Promise<Inputs> {
  const domains = await readDomains(dir, experiment);
  const all = [...domains.values()];
  const together = (of: (one: DomainInputs) => Task[] | null): Task[] | null => {
    const some = all.flatMap((one) => of(one) ?? []);
    return all.every((one) => of(one) === null) ? null : some;
  };
  return {
    seeds: together(({ seeds }) => seeds),
    heldOut: together(({ heldOut }) => heldOut),
    offline: await readOffline(dir, experiment),
    ...(experiment.domains === undefined ? { ...withAdapter(all[0]) } : { domains }),
  };
}

/** Held-out tasks of the run's own copies, by their domain's name. @throws InputError */
export async function readHeldOut(dir: string, experiment: Experiment): Promise<Map<string, readonly Task[]>> {
  const domains = await readDomains(dir, experiment);
  return new Map([...domains].map(([name, { heldOut }]) => [name, heldOut ?? []]));
}

async function readDomains(dir: string, experiment: Experiment): Promise<Map<string, DomainInputs>> {
  const domains = new Map<string, DomainInputs>();
  for (const part of domainsOf(experiment)) {
    const alone = withDomain(experiment, part);
    const folder = domainFolder(experiment, part);
    const adapter = (await keptAdapter(alone, dir, folder)) ?? undefined;
    const inputs: DomainInputs = { seeds: null, heldOut: null, ...defined({ adapter }) };
    for (const { origin, file, field, copy } of ofDomain(alone, folder)) {
      const path = join(dir, copy);
      // A domain file may hold nothing out, and older releases did not read the storekeeper's.
      const mayLack = isProgramFile(file) || alone.domain.name === 'storekeeper';
      if (origin === 'validation' && mayLack && !existsSync(path)) continue;
      const read = parsed(await readTaskText(path, field), path, origin);
      // Games were tried when the run began; a page that shows the run does not wait for each to be tried again.
      if (alone.domain.name !== 'alfworld') await check(read, origin, alone, adapter);
      const tasks = withoutDomain(read).tasks;
      if (origin === 'base') inputs.seeds = tasks.slice(0, alone.domain.baseTasks);
      else inputs.heldOut = tasks;
    }
    domains.set(part.name, inputs);
  }
  return domains;
}

const withAdapter = (only: DomainInputs | undefined): Pick<DomainInputs, 'adapter'> =>
  only?.adapter === undefined ? {} : { adapter: only.adapter };

async function readOffline(dir: string, experiment: Experiment): Promise<Task[] | null> {
  const [named] = offlineOf(experiment);
  if (named === undefined) return null;
  const path = join(dir, named.copy);
  const tasks: Task[] = [];
  const whole = parsed(await readTaskText(path, named.field), path, 'offline');
  const own = byDomain(whole, experiment);
  for (const { part, read } of own) {
    const alone = withDomain(experiment, part);
    if (alone.domain.name !== 'alfworld') await check(read, 'offline', alone);
    append(tasks, read.tasks);
  }
  return tasks;
}

/** Every task of a file verifies in its domain, or can be judged by the rule that it names. @throws InputError */
async function check(read: Read, origin: Origin, experiment: Experiment, adapter?: WritingAdapter): Promise<void> {
  const { path, tasks } = read;
  const domain = new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 });
  const rules = await openScorer(null, tasks);
  const recipe =
    adapter === undefined
      ? await openRecipe(experiment.domain.name, { rule: rules, folders: [] })
      : new AdapterRecipe(domainName(path), adapter, rules);
  const breather = new Breather();
  const problems: Problem[] = [];
  for (const [i, task] of tasks.entries()) {
    await breather.breathe();
    const misfit = recipe === null ? noStory(task, origin, experiment) : misfitOf(task, origin, recipe, experiment);
    if (misfit !== null) {
      const message = l10n.t('It is no task of the domain {0}: {1}.', experiment.domain.name, misfit);
      problems.push(faultOf(read, i, 'evaluation', message, l10n.t('Take it out, or choose another domain.')));
    } else if (!isBuiltIn(task)) {
      const fault = rules.fault(task);
      if (fault !== null)
        problems.push(faultOf(read, i, 'evaluation', `${fault}.`, l10n.t('Correct it, or its gold.')));
    } else {
      const verified = domain.verify(task);
      if (verified.ok) continue;
      const remedy = l10n.t('Correct the task, or take it out.');
      problems.push(faultOf(read, i, verified.cause === 'gold' ? 'gold' : 'prompt', `${verified.note}.`, remedy));
    }
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** The environment varies stories, whose answers are numbers. */
function noStory({ evaluation }: Task, origin: Origin, { domain, mode }: Experiment): string | null {
  if (domain.name !== 'stories' || origin !== 'base' || mode === 'offline' || evaluation.kind === 'number') return null;
  return l10n.t('it is judged by “{0}”, and the answer of a story is a number', evaluation.kind);
}

/** Why a recipe cannot work with a task, as a clause: seeds are varied, held-out ones only compared with. */
function misfitOf(task: Task, origin: Origin, recipe: Recipe, { mode }: Experiment): string | null {
  if (origin === 'base' && mode !== 'offline') return recipe.misfit(task);
  return task.evaluation.kind === recipe.kind ? null : l10n.t('it is judged by “{0}”', task.evaluation.kind);
}

const elsewhere = (): string =>
  l10n.t('Set domain.name to their benchmark, set mode to "offline", or name other tasks.');

/** A trainer's own copy of the scorer knows the built-in rule only, and only a benchmark's domain writes and plays its tasks. */
function refuseGiven(
  { tasks, path }: Read,
  { origin, field }: Named,
  { mode, endpoints, domain, rollouts }: Experiment,
): void {
  const at = tasks.findIndex((task) => !isBuiltIn(task));
  const kind = tasks[at]?.evaluation.kind;
  if (kind === undefined) return;
  if (domain.name === 'storekeeper' && origin === 'base' && mode !== 'offline') {
    const message = l10n.t(
      'The tasks are judged by “{0}”, and mode {1} would have variations of them written, which the domain storekeeper cannot.',
      kind,
      mode,
    );
    throw new InputError([ofName(path, 'domain.seeds', message, elsewhere())]);
  }
  if (domain.name === 'storekeeper' && origin === 'validation' && mode !== 'offline') {
    const message = l10n.t(
      'The held-out tasks are judged by “{0}”, and in mode {1} the domain storekeeper poses its own kind alone.',
      kind,
      mode,
    );
    throw new InputError([ofName(path, 'domain.heldOut', message, elsewhere())]);
  }
  if (domain.name === 'storekeeper' && tasks.some(({ evaluation }) => evaluation.kind === 'alfworld')) {
    const message = l10n.t('The tasks are games of many turns, which the domain storekeeper does not play.');
    const remedy = l10n.t(
      'Set domain.name to "alfworld" and rollouts.maxTurns to 50, or measure a policy on them with genenv evaluate.',
    );
    throw new InputError([ofName(path, field, message, remedy)]);
  }
  if (domain.name === 'storekeeper' && rollouts.maxTurns < 2 && tasks.some(isPlayed)) {
    const message = l10n.t('The tasks are played over several turns by “{0}”, and rollouts.maxTurns allows one.', kind);
    throw new InputError([ofName(path, field, message, l10n.t('Raise rollouts.maxTurns.'))]);
  }
  if (endpoints.agent.kind === 'verl' && !tasks.every((task) => isBuiltIn(task) || isJudgedInJobs(task))) {
    const message = l10n.t('The tasks are judged by “{0}”, which jobs of verl do not know.', kind);
    throw new InputError([ofName(path, field, message, l10n.t('Train the agent at another kind of endpoint.'))]);
  }
}
