/**
 * The task files an experiment names. A run keeps its own copies under `inputs/`, so that it explains itself and can be
 * resumed when the originals have moved or changed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StorekeeperDomain } from '../benchmarks/storekeeper/domain.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { Problem } from '../shared/experiment/problem.ts';
import type { Task } from '../shared/records/task.ts';
import { parseTaskFile } from '../shared/records/taskFile.ts';
import { InputError } from './inputError.ts';
import { isBuiltIn, openScorer } from './openScorer.ts';

export interface Inputs {
  seeds: Task[] | null;
  offline: Task[] | null;
}

type Origin = 'base' | 'offline';
const fields: Record<Origin, string> = { base: 'domain.seeds', offline: 'generation.offlineFile' };
const copies: Record<Origin, string> = { base: 'seeds.jsonl', offline: 'offline.jsonl' };

function named(experiment: Experiment): [Origin, string][] {
  const files: [Origin, string | null][] = [
    ['base', experiment.domain.seeds],
    ['offline', experiment.mode === 'offline' ? experiment.generation.offlineFile : null],
  ];
  return files.flatMap(([origin, file]) => (file === null ? [] : [[origin, file] satisfies [Origin, string]]));
}

/** Texts of the files an experiment names, each read through and checked. @throws InputError before anything is made */
export async function loadInputs(experiment: Experiment, directory: string): Promise<Map<Origin, string>> {
  const texts = new Map<Origin, string>();
  for (const [origin, file] of named(experiment)) {
    const path = resolve(directory, file);
    const text = await readText(path, fields[origin]);
    refuseGiven(await check(text, path, origin), origin, path, experiment);
    texts.set(origin, text);
  }
  return texts;
}

/** Puts the copies into a new run's folder. */
export async function keepInputs(dir: string, texts: ReadonlyMap<Origin, string>): Promise<void> {
  if (texts.size === 0) return;
  await mkdir(join(dir, 'inputs'), { recursive: true });
  for (const [origin, text] of texts) await writeFile(join(dir, 'inputs', copies[origin]), text);
}

/** The run's own copies. @throws InputError when one is missing or was damaged */
export async function readInputs(dir: string, experiment: Experiment): Promise<Inputs> {
  const inputs: Inputs = { seeds: null, offline: null };
  for (const [origin] of named(experiment)) {
    const path = join(dir, 'inputs', copies[origin]);
    const tasks = await check(await readText(path, fields[origin]), path, origin);
    if (origin === 'base') inputs.seeds = tasks.slice(0, experiment.domain.baseTasks);
    else inputs.offline = tasks;
  }
  return inputs;
}

async function readText(path: string, field: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InputError([
      problem(path, 1, field, `The file cannot be read: ${why}.`, 'Correct the path or its permissions.'),
    ]);
  }
}

/** The tasks of a file, when every one of them verifies in its domain, or can be judged by the rule that it names. */
async function check(text: string, path: string, origin: Origin): Promise<Task[]> {
  const read = parseTaskFile(text, path, origin);
  if ('problems' in read) throw new InputError(read.problems);
  const domain = new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 });
  const rules = await openScorer(null, read.tasks);
  const problems = read.tasks.flatMap((task, i) => {
    const line = read.lines[i] ?? 1;
    if (!isBuiltIn(task)) {
      const fault = rules.fault(task);
      return fault === null ? [] : [problem(path, line, 'evaluation', `${fault}.`, 'Correct it, or its gold.')];
    }
    const verified = domain.verify(task);
    if (verified.ok) return [];
    const remedy = 'Correct the task, or take the line out.';
    return [problem(path, line, verified.cause === 'gold' ? 'gold' : 'prompt', `${verified.note}.`, remedy)];
  });
  if (problems.length > 0) throw new InputError(problems);
  return read.tasks;
}

/** Nothing writes variations of a benchmark's tasks, and a trainer's own copy of the scorer knows the built-in rule only. */
function refuseGiven(tasks: readonly Task[], origin: Origin, path: string, { mode, endpoints }: Experiment): void {
  const at = tasks.findIndex((task) => !isBuiltIn(task));
  const kind = tasks[at]?.evaluation.kind;
  if (kind === undefined) return;
  if (origin === 'base' && mode !== 'offline') {
    const message = `The tasks are judged by “${kind}”, and mode ${mode} would have variations of them written, which only the domain storekeeper can.`;
    throw new InputError([problem(path, 1, 'domain.seeds', message, 'Set mode to "offline", or name other tasks.')]);
  }
  if (tasks.some(({ evaluation }) => evaluation.kind === 'alfworld')) {
    const message = 'The tasks are games of many turns, which runs do not play yet.';
    const remedy = 'Take them out, and measure a policy on them with genenv evaluate.';
    throw new InputError([problem(path, 1, fields[origin], message, remedy)]);
  }
  if (endpoints.agent.kind === 'verl') {
    const message = `The tasks are judged by “${kind}”, which jobs of verl do not know.`;
    throw new InputError([problem(path, 1, fields[origin], message, 'Train the agent at another kind of endpoint.')]);
  }
}

function problem(file: string, line: number, field: string, message: string, remedy: string): Problem {
  return { file, line, column: 1, field, message, remedy, severity: 'error' };
}
