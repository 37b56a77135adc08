/** Whether an epoch's families are cut off, and by which band. */
import { trainsEnvironment } from '../../shared/experiment/trains.ts';
import type { Loop } from '../loop.ts';
import type { Band } from './decided.ts';

/**
 * The band of an epoch's difficulty filter; undefined where all attempts are made: without the setting, in warm-up epochs,
 * where the environment does not learn, and where more than a family's place in the band hangs on its attempts.
 */
export function cutOffBand({ experiment }: { experiment: Loop['experiment'] }, epoch: number): Band | undefined {
  const { curriculum, environment, rollouts } = experiment;
  const { alpha, kMin, estimate, filter, scope, warmupEpochs } = curriculum;
  const decides =
    filter === 'hard' && scope === 'family' && environment.update !== 'grpo' && trainsEnvironment(experiment);
  return rollouts.cutOff === 'band' && decides && epoch > warmupEpochs ? { alpha, kMin, estimate } : undefined;
}
