/** Inputs that reached something new, a file a decoder. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { codeOf } from '../../src/shared/systemError.ts';

const folder = new URL('corpus/', import.meta.url);
const inputs = z.array(z.string());

/** Of one decoder: the shortest are kept. */
const most = 120;
const longest = 600;

const fileOf = (name: string): URL => new URL(`${name}.json`, folder);

export async function readCorpus(name: string): Promise<string[]> {
  try {
    return inputs.parse(JSON.parse(await readFile(fileOf(name), 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

export async function keepCorpus(name: string, found: readonly string[], seeds: readonly string[]): Promise<void> {
  const kept = [...new Set(found)]
    .filter((input) => input.length <= longest && !seeds.includes(input))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, most)
    .toSorted();
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(name), `${JSON.stringify(kept, null, 2)}\n`);
}
