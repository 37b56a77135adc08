/** The results of a run's method: everything that must not depend on how often the run was interrupted. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file of the method's own by its name, times aside. */
export async function runContents(dir: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of ['journal.jsonl', 'tasks.jsonl', 'traces.jsonl']) {
    const text = await readFile(join(dir, name), 'utf8');
    texts[name] = text.replaceAll(/"(at|seconds)":[0-9.]+/g, '"$1":0');
  }
  for (const name of (await readdir(join(dir, 'checkpoints'))).toSorted()) {
    texts[name] = (await readFile(join(dir, 'checkpoints', name))).toString('base64');
  }
  return texts;
}

/** The only run under a root. */
export async function onlyRun(root: string): Promise<string> {
  const [id, ...others] = (await readdir(root)).filter((name) => !name.startsWith('.'));
  if (id === undefined || others.length > 0) throw new Error(`There is not one run in ${root}.`);
  return id;
}
