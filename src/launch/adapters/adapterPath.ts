/** Adapters by name: a file, or a shipped one's name. */
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ending = '.adapter.json';

/** The folder of the shipped ones. @param dist the folder of built files */
const shippedFolder = (dist: URL): string => fileURLToPath(new URL('../media/adapters/', dist));

/** Names of the shipped ones, in order. */
export async function shippedAdapters(dist: URL): Promise<string[]> {
  const names = await readdir(shippedFolder(dist));
  return names.flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : [])).sort();
}

/** Ours may read outside of their data's folder. @param path absolute */
export const isShippedAdapter = (path: string, dist: URL): boolean => join(dirname(path), '/') === shippedFolder(dist);

/**
 * Absolute; null for a word that is neither a file name nor a shipped adapter's name. @param directory the base of
 * relative names
 */
export async function adapterPath(name: string, directory: string, dist: URL): Promise<string | null> {
  if (name.endsWith('.json')) return resolve(directory, name);
  return (await shippedAdapters(dist)).includes(name) ? join(shippedFolder(dist), `${name}${ending}`) : null;
}
