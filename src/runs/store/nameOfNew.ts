/** The name of a new run beside earlier ones of its experiment file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { codeOf } from '../../shared/systemError.ts';
import { tellingName } from '../facts/runName.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { readLabel } from './runLabel.ts';
import { RunError } from './runError.ts';

/** The part of a manifest that shows whether it is a run of the same experiment; others are read no further. */
const outlineSchema = z.looseObject({
  createdAt: z.string(),
  source: z.string().nullable().default(null),
  imported: z.unknown().default(null),
  experiment: z.looseObject({ name: z.string() }),
});

type New = Pick<Manifest, 'parent' | 'source'> & { experiment: Experiment };

/** Read at once. */
const readers = 16;

/** Null for the first run of an experiment, which has its name. A run that cannot be read counts as none. */
export async function nameOfNew(
  root: string,
  ids: readonly string[],
  { experiment, parent, source }: New,
): Promise<string | null> {
  const earlier: { dir: string; createdAt: string; name: string }[] = [];
  const next = ids.values();
  const read = async (): Promise<void> => {
    for (const id of next) {
      const dir = join(root, id);
      const outline = outlineSchema.safeParse(await textOf(join(dir, 'run.json'))).data;
      if (outline === undefined || outline.imported !== null || outline.source !== source) continue;
      if (outline.experiment.name !== experiment.name) continue;
      const { name } = await readLabel(dir);
      earlier.push({ dir, createdAt: outline.createdAt, name: name ?? experiment.name });
    }
  };
  await Promise.all(Array.from({ length: readers }, read));
  const [first] = earlier.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const dir = parent === null ? first?.dir : join(root, parent.run);
  if (dir === undefined) return null;
  try {
    const base = (await readManifest(dir)).experiment;
    if (base.name !== experiment.name) return null;
    return tellingName(experiment, base, new Set(earlier.map(({ name }) => name)), parent?.epoch ?? null);
  } catch (error) {
    // Removed or damaged meanwhile: a name is not worth a run.
    if (RunError.is(error)) return null;
    throw error;
  }
}

async function textOf(path: string): Promise<unknown> {
  try {
    return parseOrUndefined(await readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return undefined;
  }
}
