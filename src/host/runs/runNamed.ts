import { basename } from 'node:path';
import type { RunCatalog, RunDir } from './runs.ts';

/** A run by its folder's name. One that was just made may not be listed yet, and is looked for. */
export async function runNamed(
  id: string,
  catalog: Pick<RunCatalog, 'runs' | 'ready' | 'refresh'>,
): Promise<RunDir | undefined> {
  await catalog.ready;
  const find = (): RunDir | undefined => catalog.runs.find(({ dir }) => basename(dir) === id)?.dir;
  const known = find();
  if (known !== undefined) return known;
  await catalog.refresh();
  return find();
}
