/**
 * Test sets that a run does not measure on and that must not be written all the same: their wordings are read before the run
 * is made and kept in its `inputs/`, so that a resumed run refuses the same.
 */
import * as l10n from '@vscode/l10n';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { sha256 } from '../../runs/files/sha256.ts';
import type { TestSetTask } from '../../engine/ports.ts';
import { wordingOf } from '../../engine/wording.ts';
import { append } from '../../shared/append.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { adapterPath, isShippedAdapter, shippedAdapters } from '../adapters/adapterPath.ts';
import { DataError } from '../adapters/dataError.ts';
import { dataFolder } from '../adapters/locate.ts';
import { readAdapterFile } from '../adapters/readAdapterFile.ts';
import { evaluationTasks } from './evaluationTasks.ts';
import { findTestSets, foundTestSets } from './foundTestSets.ts';
import { InputError, ofName } from './inputError.ts';
import type { OnLeftOut } from '../../shared/leftOutTasks.ts';
import { parsed, readTaskText } from './taskText.ts';
import { messageOf } from '../../shared/messageOf.ts';

const field = 'generation.testSets';
const name = 'testSets.json';

/** `inputs/testSets.json`. */
const keptSchema = z.strictObject({
  v: z.literal(1),
  /** SHA-256 of the tasks as JSON, hexadecimal. */
  digest: z.string(),
  tasks: z.array(z.strictObject({ of: z.string(), id: z.string(), text: z.string() })),
});

/** Their name; null where none is read. */
export const testSetsIn = ({ generation: { testSets, heldOutRun } }: Pick<Experiment, 'generation'>): string | null =>
  heldOutRun === null ? null : testSets;

/** Null where none is named. @throws InputError when one cannot be used */
export async function loadTestSets(
  experiment: Pick<Experiment, 'generation'>,
  directory: string,
  dist: URL,
  onLeftOut: OnLeftOut = () => undefined,
): Promise<readonly TestSetTask[] | null> {
  const named = testSetsIn(experiment);
  if (named === null) return null;
  const path = resolve(directory, named);
  // A new run of an old one's experiment reads the old run's copy.
  if (named.endsWith(name)) return readKept(path);
  if (named.endsWith('.jsonl')) return ofTaskFile(path, named, onLeftOut);
  if (named === foundTestSets) return ofFound(directory, dist);
  const tasks: TestSetTask[] = [];
  for (const adapter of await adaptersOf(named, directory, dist)) append(tasks, await ofAdapter(adapter, dist));
  return tasks;
}

/** Absolute paths of the adapters whose data it reads. @throws InputError when none has the name */
export async function testSetAdapters(
  experiment: Pick<Experiment, 'generation'>,
  directory: string,
  dist: URL,
): Promise<string[]> {
  const named = testSetsIn(experiment);
  if (named === null || named.endsWith(name) || named.endsWith('.jsonl')) return [];
  if (named === foundTestSets) return (await findTestSets(directory)).map(({ path }) => path);
  return adaptersOf(named, directory, dist);
}

/** Puts them into a new run's folder. */
export async function keepTestSets(dir: string, tasks: readonly TestSetTask[] | null): Promise<void> {
  if (tasks === null) return;
  await mkdir(join(dir, 'inputs'), { recursive: true });
  const kept = { v: 1, digest: digestOf(tasks), tasks };
  await writeFile(join(dir, 'inputs', name), `${JSON.stringify(kept)}\n`);
}

/** The run's own copy; null where none is named. @throws InputError when it is missing or was damaged */
export async function readTestSets(
  experiment: Pick<Experiment, 'generation'>,
  dir: string,
): Promise<readonly TestSetTask[] | null> {
  return testSetsIn(experiment) === null ? null : readKept(join(dir, 'inputs', name));
}

async function readKept(path: string): Promise<readonly TestSetTask[]> {
  try {
    const { digest, tasks } = keptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    if (digestOf(tasks) === digest) return tasks;
  } catch (cause) {
    const why = messageOf(cause);
    throw problem(
      path,
      l10n.t('The kept test sets cannot be read: {0}.', why),
      l10n.t('Restore the file from a copy of the run.'),
    );
  }
  const message = l10n.t('The kept test sets are not what they were: their check sum differs.');
  throw problem(path, message, l10n.t('Restore the file from a copy of the run.'));
}

async function ofTaskFile(path: string, named: string, onLeftOut: OnLeftOut): Promise<TestSetTask[]> {
  const { tasks, leftOut } = parsed(await readTaskText(path, field), path, 'validation');
  if (leftOut.length > 0) onLeftOut({ file: named, tasks: tasks.length, leftOut });
  return tasks.map((task) => ({ of: named, id: task.id, text: wordingOf({}, task) }));
}

/** The adapter files of a name: a folder's, a file, a shipped one. @throws InputError */
async function adaptersOf(named: string, directory: string, dist: URL): Promise<string[]> {
  const path = resolve(directory, named);
  const folder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (folder) {
    const files = (await readdir(path)).filter((file) => file.endsWith('.adapter.json')).sort();
    if (files.length > 0) return files.map((file) => join(path, file));
    throw problem(
      path,
      l10n.t('The folder holds no adapter.'),
      l10n.t('Name a folder with *.adapter.json files, or one file.'),
    );
  }
  const one = await adapterPath(named, directory, dist);
  if (one !== null) return [one];
  const remedy = l10n.t(
    'Name a folder, an adapter or a task file (.jsonl), or one of {0}.',
    (await shippedAdapters(dist)).join(', '),
  );
  throw problem(path, l10n.t('There is no test set “{0}”.', named), remedy);
}

/** Test sets whose data is incomplete are left out: the experiment does not name them. */
async function ofFound(directory: string, dist: URL): Promise<TestSetTask[]> {
  const tasks: TestSetTask[] = [];
  for (const { path, splits } of await findTestSets(directory)) {
    try {
      append(tasks, await ofAdapter(path, dist, splits));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
  return tasks;
}

/** @param splits all when empty */
async function ofAdapter(path: string, dist: URL, splits: readonly string[] = []): Promise<TestSetTask[]> {
  const { adapter } = await readAdapterFile(path, path, field);
  const folder = dataFolder(path, adapter.data);
  if (folder === null) {
    throw problem(path, l10n.t('Nothing says where the data of {0} lies.', adapter.name), adapter.data.obtain);
  }
  const asked = {
    ...{ folder, outside: isShippedAdapter(path, dist), splits, sample: null, seed: 0 },
    signal: new AbortController().signal,
  };
  try {
    const { tasks } = await evaluationTasks(adapter, asked);
    if (tasks.length > 0) return tasks.map((task) => ({ of: adapter.name, id: task.id, text: wordingOf({}, task) }));
  } catch (error) {
    if (error instanceof DataError) throw problem(folder, error.message, error.remedy);
    throw error;
  }
  throw problem(folder, l10n.t('No record of {0} becomes a task.', adapter.name), adapter.data.obtain);
}

const digestOf = (tasks: readonly TestSetTask[]): string => sha256(JSON.stringify(tasks));

function problem(file: string, message: string, remedy: string): InputError {
  return new InputError([ofName(file, field, message, remedy)]);
}
