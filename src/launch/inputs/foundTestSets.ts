/** Test sets beside an experiment or below it: adapters whose data is there, by their splits that are not for training. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from '../../shared/adapters/schema.ts';
import { dataFolder } from '../adapters/locate.ts';
import { readAdapterFile } from '../adapters/readAdapterFile.ts';
import { InputError } from './inputError.ts';

/** `generation.testSets` for the test sets that are found. */
export const foundTestSets = 'found';

/** One adapter with tests. */
export interface FoundTestSet {
  path: string;
  name: string;
  /** The splits that are tests. */
  splits: readonly string[];
}

/** Folders of programs, of runs and of version control. */
const passedOver = /^(?:node_modules|venv|__pycache__|\..*)$/;
/** Folders below folders, and adapters: a home folder is no workspace. */
const limits = { depth: 4, adapters: 200 };

/** In order of their paths. An adapter that cannot be read is left to its own check. */
export async function findTestSets(directory: string): Promise<FoundTestSet[]> {
  const found: FoundTestSet[] = [];
  for (const path of await adaptersBelow(directory, 0)) {
    if (found.length >= limits.adapters) break;
    const read = await readAdapterFile(path, path).catch((error: unknown) => {
      if (error instanceof InputError) return null;
      throw error;
    });
    if (read === null) continue;
    const { adapter } = read;
    const folder = dataFolder(path, adapter.data);
    const splits = testSplits(adapter);
    const isThere =
      folder !== null &&
      (await stat(folder).then(
        (entry) => entry.isDirectory(),
        () => false,
      ));
    if (isThere && splits.length > 0) found.push({ path, name: adapter.name, splits });
  }
  return found;
}

/** All splits but those that a recipe varies, and those called train. */
function testSplits({ data, recipe }: Adapter): string[] {
  const varied = new Set(recipe?.splits?.base ?? []);
  return Object.keys(data.splits).filter((name) => !varied.has(name) && !/^train/i.test(name));
}

async function adaptersBelow(directory: string, depth: number): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isFile() && entry.name.endsWith('.adapter.json')) found.push(path);
    if (entry.isDirectory() && depth < limits.depth && !passedOver.test(entry.name)) {
      for (const one of await adaptersBelow(path, depth + 1)) found.push(one);
    }
  }
  return found;
}
