/** The effect of a person's attempt in the agent pool: its task may be drawn, nothing is learned from its words. */
import type { Experiment } from '../../../shared/experiment/schema.ts';

/**
 * `joins`: batches may draw its task from now on. `pooled`: they may already, by an attempt of the agent. `given`: the
 * environment did not write its task, so that base data has it. `not-drawn`: the run draws nothing from its pool.
 * `finished`: the run draws nothing any more.
 */
export type PoolEffect = 'joins' | 'pooled' | 'given' | 'not-drawn' | 'finished';

export interface EffectFacts {
  experiment: Pick<Experiment, 'mode' | 'generation' | 'rollouts'>;
  isFinished: boolean;
  /** Whether the environment wrote the task. */
  isWritten: boolean;
  /** Whether an attempt of the agent put it into the pool. */
  isPooled: boolean;
}

export function poolEffect({ experiment, isFinished, isWritten, isPooled }: EffectFacts): PoolEffect {
  if (isFinished) return 'finished';
  if (!isWritten) return 'given';
  const { mode, generation, rollouts } = experiment;
  const draws = rollouts.poolShare > 0 || generation.editShare > 0;
  if (!draws || mode === 'static' || mode === 'offline' || mode === 'release') return 'not-drawn';
  return isPooled ? 'pooled' : 'joins';
}
