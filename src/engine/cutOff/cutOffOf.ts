/** Whether an epoch's families are cut off, and by which band. */
import type { Loop } from '../loop.ts';
import type { Band } from './decided.ts';

/**
 * The band of an epoch's difficulty filter; undefined where all attempts are made: without the setting, in warm-up epochs,
 * and where more than a family's place in the band hangs on its attempts.
 */
export function cutOffBand({ experiment }: { experiment: Loop['experiment'] }, epoch: number): Band | undefined {
  const { curriculum, environment, mode, rollouts } = experiment;
  const { alpha, kMin, estimate, filter, scope, warmupEpochs } = curriculum;
  const decides = filter === 'hard' && scope === 'family' && environment.update !== 'grpo' && mode === 'coevolve';
  return rollouts.cutOff === 'band' && decides && epoch > warmupEpochs ? { alpha, kMin, estimate } : undefined;
}
