/**
 * The task files an experiment names. A run keeps its own copies under `inputs/`, so that it explains itself and can be
 * resumed when the originals have moved or changed.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openRecipe } from '../benchmarks/recipes/openRecipe.ts';
import type { Recipe } from '../benchmarks/recipes/recipe.ts';
import { isJudgedInJobs } from '../benchmarks/jobScorer.ts';
import { isPlayed } from '../benchmarks/scorerTable.ts';
import { StorekeeperDomain } from '../benchmarks/storekeeper/domain.ts';
import { handEditsOf, withHandEdits } from '../runs/import/handEdits.ts';
import { Breather } from '../runs/breather.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { Problem } from '../shared/experiment/problem.ts';
import type { Task } from '../shared/records/task.ts';
import { parseTaskFile } from '../shared/records/taskFile.ts';
import { domainLanguage } from '../shared/domains/domainFile.ts';
import { programName } from '../shared/experiment/shippedDomains.ts';
import type { LoadedDomain } from './domainFile.ts';
import { heldOutLike } from './heldOutLike.ts';
import { InputError } from './inputError.ts';
import { isBuiltIn, openScorer } from './openScorer.ts';

export interface Inputs {
  seeds: Task[] | null;
  heldOut: Task[] | null;
  offline: Task[] | null;
}

/** Of an experiment that names no file. */
export const noInputs: Readonly<Inputs> = { seeds: null, heldOut: null, offline: null };

type Origin = 'base' | 'validation' | 'offline';
const fields: Record<Origin, string> = {
  base: 'domain.seeds',
  validation: 'domain.heldOut',
  offline: 'generation.offlineFile',
};
const copies: Record<Origin, string> = { base: 'seeds.jsonl', validation: 'heldOut.jsonl', offline: 'offline.jsonl' };

function named({ domain, mode, generation }: Experiment): [Origin, string][] {
  const own = programName(domain);
  const files: [Origin, string | null][] = [
    ['base', domain.seeds ?? own],
    ['validation', domain.name === 'storekeeper' ? null : (domain.heldOut ?? own)],
    ['offline', mode === 'offline' ? generation.offlineFile : null],
  ];
  return files.flatMap(([origin, file]) => (file === null ? [] : [[origin, file] satisfies [Origin, string]]));
}

/** Task files that an experiment names, absolute. */
export const inputFiles = (experiment: Experiment, directory: string): string[] =>
  named(experiment).map(([, file]) => resolve(directory, file));

/** A task file as it was read: line i + 1 of the file holds task i. */
interface Read {
  path: string;
  tasks: Task[];
  lines: number[];
}

/** Texts of the files an experiment names, each read through and checked. @throws InputError before anything is made */
export async function loadInputs(
  experiment: Experiment,
  directory: string,
  domain: Pick<LoadedDomain, 'base' | 'heldOut'> | null = null,
): Promise<Map<Origin, string>> {
  const texts = new Map<Origin, string>();
  const files = new Map<Origin, Read>();
  for (const [origin, file] of named(experiment)) {
    const path = resolve(directory, file);
    const text = isProgramFile(file) ? textOf(domain, origin) : await readTasks(path, origin);
    if (text === null) continue;
    const read = parsed(text, path, origin);
    await check(read, origin, experiment);
    refuseGiven(read, origin, experiment);
    texts.set(origin, text);
    files.set(origin, read);
  }
  for (const origin of ['base', 'offline'] as const) {
    const trained = files.get(origin);
    if (trained !== undefined) await refuseLeaks(trained, files.get('validation')?.tasks ?? [], experiment);
  }
  return texts;
}

/** Whether the tasks are those that a domain file gives, and no task file. */
const isProgramFile = (file: string): boolean => domainLanguage(file) !== null;

const textOf = (domain: Pick<LoadedDomain, 'base' | 'heldOut'> | null, origin: Origin): string | null =>
  origin === 'base' ? (domain?.base ?? null) : (domain?.heldOut ?? null);

/** A task file as people left it. */
async function readTasks(path: string, origin: Origin): Promise<string> {
  const edits = await handEditsOf(path);
  const recorded = await readTaskText(path, fields[origin]);
  return edits === null ? recorded : withHandEdits(recorded, edits);
}

/** Puts the copies into a new run's folder. */
export async function keepInputs(dir: string, texts: ReadonlyMap<Origin, string>): Promise<void> {
  if (texts.size === 0) return;
  await mkdir(join(dir, 'inputs'), { recursive: true });
  for (const [origin, text] of texts) await writeFile(join(dir, 'inputs', copies[origin]), text);
}

/** The run's own copies. @throws InputError when one is missing or was damaged */
export async function readInputs(dir: string, experiment: Experiment): Promise<Inputs> {
  const inputs: Inputs = { ...noInputs };
  for (const [origin, file] of named(experiment)) {
    const path = join(dir, 'inputs', copies[origin]);
    // A domain file may hold nothing out.
    if (origin === 'validation' && isProgramFile(file) && !existsSync(path)) continue;
    const read = parsed(await readTaskText(path, fields[origin]), path, origin);
    // Games were tried when the run began; a page that shows the run does not wait for each to be tried again.
    if (experiment.domain.name !== 'alfworld') await check(read, origin, experiment);
    const { tasks } = read;
    if (origin === 'base') inputs.seeds = tasks.slice(0, experiment.domain.baseTasks);
    else if (origin === 'validation') inputs.heldOut = tasks;
    else inputs.offline = tasks;
  }
  return inputs;
}

/** @throws InputError */
export async function readTaskText(path: string, field: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InputError([
      problem(path, 1, field, `The file cannot be read: ${why}.`, 'Correct the path or its permissions.'),
    ]);
  }
}

/** @throws InputError */
function parsed(text: string, path: string, origin: Origin): Read {
  const read = parseTaskFile(text, path, origin);
  if ('problems' in read) throw new InputError(read.problems);
  return { path, tasks: read.tasks, lines: read.lines };
}

/** Every task of a file verifies in its domain, or can be judged by the rule that it names. @throws InputError */
async function check({ path, tasks, lines }: Read, origin: Origin, experiment: Experiment): Promise<void> {
  const domain = new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 });
  const rules = await openScorer(null, tasks);
  const recipe = await openRecipe(experiment.domain.name, { rule: rules, folders: [] });
  const breather = new Breather();
  const problems: Problem[] = [];
  for (const [i, task] of tasks.entries()) {
    await breather.breathe();
    const line = lines[i] ?? 1;
    const misfit = recipe === null ? noStory(task, origin, experiment) : misfitOf(task, origin, recipe, experiment);
    if (misfit !== null) {
      const message = `It is no task of the domain ${experiment.domain.name}: ${misfit}.`;
      problems.push(problem(path, line, 'evaluation', message, 'Take the line out, or choose another domain.'));
    } else if (!isBuiltIn(task)) {
      const fault = rules.fault(task);
      if (fault !== null) problems.push(problem(path, line, 'evaluation', `${fault}.`, 'Correct it, or its gold.'));
    } else {
      const verified = domain.verify(task);
      if (verified.ok) continue;
      const remedy = 'Correct the task, or take the line out.';
      problems.push(problem(path, line, verified.cause === 'gold' ? 'gold' : 'prompt', `${verified.note}.`, remedy));
    }
  }
  if (problems.length > 0) throw new InputError(problems);
}

/** The environment varies stories, whose answers are numbers. */
function noStory({ evaluation }: Task, origin: Origin, { domain, mode }: Experiment): string | null {
  if (domain.name !== 'stories' || origin !== 'base' || mode === 'offline' || evaluation.kind === 'number') return null;
  return `it is judged by “${evaluation.kind}”, and the answer of a story is a number`;
}

/** Why a recipe cannot work with a task, as a clause: seeds are varied, held-out ones only compared with. */
function misfitOf(task: Task, origin: Origin, recipe: Recipe, { mode }: Experiment): string | null {
  if (origin === 'base' && mode !== 'offline') return recipe.misfit(task);
  return task.evaluation.kind === recipe.kind ? null : `it is judged by “${task.evaluation.kind}”`;
}

/** What is trained on is not measured on. The built-in domain brings its own held-out tasks. @throws InputError */
async function refuseLeaks(
  { path, tasks, lines }: Read,
  heldOut: readonly Task[],
  experiment: Experiment,
): Promise<void> {
  const builtIn = experiment.domain.name === 'storekeeper' && tasks.some(isBuiltIn);
  const own = builtIn ? await StorekeeperDomain.open({ validationTasks: experiment.validation.tasks }) : null;
  const like = await heldOutLike(experiment, own?.seeds('validation') ?? heldOut, false);
  const problems = tasks.flatMap((task, i) => {
    const same = like(task);
    if (same === null) return [];
    const message = `The task ${task.id} is the held-out task ${same.id}: ${same.by}.`;
    return [problem(path, lines[i] ?? 1, 'prompt', message, 'Take the line out of what is trained on.')];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** A trainer's own copy of the scorer knows the built-in rule only, and only a benchmark's domain writes and plays its tasks. */
function refuseGiven({ tasks, path }: Read, origin: Origin, { mode, endpoints, domain, rollouts }: Experiment): void {
  const at = tasks.findIndex((task) => !isBuiltIn(task));
  const kind = tasks[at]?.evaluation.kind;
  if (kind === undefined) return;
  if (domain.name === 'storekeeper' && origin === 'base' && mode !== 'offline') {
    const message = `The tasks are judged by “${kind}”, and mode ${mode} would have variations of them written, which the domain storekeeper cannot.`;
    const remedy = 'Set domain.name to their benchmark, set mode to "offline", or name other tasks.';
    throw new InputError([problem(path, 1, 'domain.seeds', message, remedy)]);
  }
  if (domain.name === 'storekeeper' && tasks.some(({ evaluation }) => evaluation.kind === 'alfworld')) {
    const message = 'The tasks are games of many turns, which the domain storekeeper does not play.';
    const remedy =
      'Set domain.name to "alfworld" and rollouts.maxTurns to 50, or measure a policy on them with genenv evaluate.';
    throw new InputError([problem(path, 1, fields[origin], message, remedy)]);
  }
  if (domain.name === 'storekeeper' && rollouts.maxTurns < 2 && tasks.some(isPlayed)) {
    const message = `The tasks are played over several turns by “${kind}”, and rollouts.maxTurns allows one.`;
    throw new InputError([problem(path, 1, fields[origin], message, 'Raise rollouts.maxTurns.')]);
  }
  if (endpoints.agent.kind === 'verl' && !tasks.every((task) => isBuiltIn(task) || isJudgedInJobs(task))) {
    const message = `The tasks are judged by “${kind}”, which jobs of verl do not know.`;
    throw new InputError([problem(path, 1, fields[origin], message, 'Train the agent at another kind of endpoint.')]);
  }
}

function problem(file: string, line: number, field: string, message: string, remedy: string): Problem {
  return { file, line, column: 1, field, message, remedy, severity: 'error' };
}
