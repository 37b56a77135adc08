/** The settings of each epoch of a run: a branch has its shared epochs from the runs before it. */
import { dirname, join } from 'node:path';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { readManifest, type Manifest } from '../store/manifest.ts';
import { RunError } from '../store/runError.ts';
import { experimentNow } from './experimentNow.ts';
import type { RunState } from '../../engine/state.ts';

export type Settings = Pick<Manifest, 'parent' | 'experiment'>;
/** A run, its parent, and so on. */
export type Lineage = readonly [Settings, ...Settings[]];
/** Of a run, branch or none. */
export type OwnSettings = Settings & Pick<Manifest, 'ancestors'>;

/** Of branches of older versions as far as the runs before them are beside it and can be read. */
export async function lineageOf(dir: string, manifest: OwnSettings): Promise<Lineage> {
  if (manifest.parent === null) return [manifest];
  if (manifest.ancestors.length > 0) return [manifest, ...manifest.ancestors];
  const parent = join(dirname(dir), manifest.parent.run);
  try {
    return [manifest, ...(await lineageOf(parent, await readManifest(parent)))];
  } catch (error) {
    if (error instanceof RunError) return [manifest];
    throw error;
  }
}

/**
 * The settings of an epoch. @param changes those that took effect by then
 * @throws RunError `format` when the journal holds a change that does not fit
 */
export function experimentIn(lineage: Lineage, epoch: number, changes: RunState['changes']): Experiment {
  return experimentNow(runOf(lineage, epoch), { changes });
}

/** The run that made an epoch; the oldest one that is known where that one is not. */
export const runOf = (lineage: Lineage, epoch: number): Settings =>
  lineage[sharers(lineage, epoch)] ?? lineage.at(-1) ?? lineage[0];

/** The folder of the run that made an epoch, also where nothing else is known of it. @param dir of the first run */
export function folderOf(dir: string, lineage: Lineage, epoch: number): string {
  const parent = lineage[sharers(lineage, epoch) - 1]?.parent ?? null;
  return parent === null ? dir : join(dirname(dir), parent.run);
}

/** How many runs, from the newest, have an epoch from the run before them. */
function sharers(lineage: Lineage, epoch: number): number {
  const made = lineage.findIndex(({ parent }) => parent === null || epoch > parent.epoch);
  return made === -1 ? lineage.length : made;
}
