/** What the environment may be rewarded for: one kind a file of this folder, all of this form. */
import type { Curriculum } from '../../shared/experiment/schema.ts';

/** Judged attempts at one task. */
export interface TaskMeasure {
  successes: number;
  attempts: number;
  /** What the kind measures beside these counts (`signal` in the journal); null: it could not, or nothing was recorded. */
  signal: number | null;
}

/** The settings that a reward reads. Without `reward` it is the paper's kernel. */
export interface RewardSettings {
  alpha: number;
  beta: number;
  kMin: number;
  reward?: Pick<Curriculum['reward'], 'kind' | 'repetition'> | undefined;
}

/** On p̂ of the scope (epoch, family or task): one number for all attempts in it. */
interface RateReward {
  of: 'rate';
  reward(p: number, settings: RewardSettings): number;
}

/** On each task by itself; a family's or an epoch's reward is the mean over its tasks. */
interface TaskReward {
  of: 'task';
  /** Null: unknown, so that the environment learns nothing from the task. */
  reward(task: TaskMeasure, settings: RewardSettings): number | null;
  /** On endless attempts that succeed or fail with this rate, none of them repeated. */
  limit(p: number): number;
}

/** On the difference between two measurements: the signal is the reward. */
interface ChangeReward {
  of: 'change';
}

export type RewardKind = RateReward | TaskReward | ChangeReward;
