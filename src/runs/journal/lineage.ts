/** The settings of each epoch of a run: a branch has its shared epochs from the runs before it. */
import { dirname, join } from 'node:path';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { readManifest, type Manifest } from '../store/manifest.ts';
import { RunError } from '../store/runError.ts';
import { experimentNow } from './experimentNow.ts';
import type { RunState } from '../../engine/state.ts';

type Settings = Pick<Manifest, 'parent' | 'experiment'>;
/** Of a run, branch or none. */
export type OwnSettings = Settings & Pick<Manifest, 'ancestors'>;

/** A run, its parent, and so on. Of branches of older versions as far as these are beside it and can be read. */
export async function lineageOf(dir: string, manifest: OwnSettings): Promise<Settings[]> {
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
export function experimentIn(lineage: readonly Settings[], epoch: number, changes: RunState['changes']): Experiment {
  const own = lineage.find(({ parent }) => parent === null || epoch > parent.epoch) ?? lineage.at(-1);
  if (own === undefined) throw new RangeError('Unreachable: a run is in its own lineage.');
  return experimentNow(own, { changes });
}
