/** Every kind of reward by its name in an experiment. */
import type { Curriculum } from '../../shared/experiment/schema.ts';
import { advantage } from './advantage.ts';
import { file } from './file.ts';
import { kernel } from './kernel.ts';
import { learnability } from './learnability.ts';
import { learnabilityUnbiased } from './learnabilityUnbiased.ts';
import { progress } from './progress.ts';
import { proposer } from './proposer.ts';
import { regret } from './regret.ts';
import type { RewardKind, RewardSettings, TaskMeasure } from './reward.ts';
import { step } from './step.ts';
import { uncertainty } from './uncertainty.ts';
import { variance } from './variance.ts';

export type RewardName = Curriculum['reward']['kind'];

const kinds: Readonly<Record<RewardName, RewardKind>> = {
  kernel,
  step,
  learnability,
  'learnability-unbiased': learnabilityUnbiased,
  variance,
  uncertainty,
  proposer,
  regret,
  advantage,
  progress,
  file,
};

export const rewardKind = ({ reward }: RewardSettings): RewardKind => kinds[reward?.kind ?? 'kernel'];

/** R_env of a task by itself; null where it is unknown, as without a judged attempt. */
export function taskReward(task: TaskMeasure, settings: RewardSettings): number | null {
  if (task.attempts === 0) return null;
  const kind = rewardKind(settings);
  if (kind.of === 'rate') return kind.reward(task.successes / task.attempts, settings);
  return kind.of === 'task' ? kind.reward(task, settings) : task.signal;
}

/** R_env at a true success rate: on endless attempts by an agent that does not change. */
export function rewardAt(p: number, settings: RewardSettings): number {
  const kind = rewardKind(settings);
  if (kind.of === 'rate') return kind.reward(p, settings);
  return kind.of === 'task' ? kind.limit(p) : 0;
}
