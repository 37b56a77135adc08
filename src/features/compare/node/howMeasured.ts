/** Settings and reward that an epoch was measured by; those of a branch's shared epochs are the other run's that made them. */
import { InputError } from '../../../launch/inputs/inputError.ts';
import { readKept } from '../../../launch/scoring/reward.ts';
import { folderOf, type Lineage } from '../../../runs/journal/lineage.ts';
import type { HowMeasured } from '../core/measuredDifferently.ts';
import { experimentOf } from './validatedTasks.ts';

export async function howMeasured(dir: string, lineage: Lineage, epoch: number): Promise<HowMeasured> {
  const experiment = experimentOf(lineage, epoch);
  if (experiment.reward.file === null) return { experiment, reward: null };
  // A branch replaces the copy of a reward that it does not share: the run that made the epoch has its own.
  try {
    const { files } = await readKept(folderOf(dir, lineage, epoch));
    return { experiment, reward: Object.values(files).toSorted().join(' ') };
  } catch (error) {
    if (error instanceof InputError) return { experiment, reward: undefined };
    throw error;
  }
}
