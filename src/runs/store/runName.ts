/** A run's name wherever it is shown: its own, which tells runs of one experiment apart; else the experiment's. */
import type { Manifest } from './manifest.ts';
import { readLabel, type RunLabel } from './runLabel.ts';

export const runName = ({ name }: Pick<RunLabel, 'name'>, { experiment }: Pick<Manifest, 'experiment'>): string =>
  name ?? experiment.name;

/** From its folder, as it is named now. */
export async function readRunName({ dir, manifest }: { dir: string; manifest: Manifest }): Promise<string> {
  return runName(await readLabel(dir), manifest);
}
