/** Settings by which two validations, maybe of two runs, were measured differently. */
import { valueAt } from '../../../shared/experiment/changeable.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { measuredBy } from '../../../shared/journal/measures.ts';

export interface HowMeasured {
  experiment: Experiment;
  /** SHA-256 of the reward's files, as one text; null without such a reward; undefined where its copy is gone. */
  reward: string | null | undefined;
}

/** Settings in which they differ, as paths. Their tasks are compared by themselves: which of them both have. */
export function measuredDifferently(first: HowMeasured, second: HowMeasured): string[] {
  const rewards = [first.reward, second.reward];
  return measuredBy.validation.filter((path) => {
    if (path === 'validation.tasks') return false;
    if (path === 'reward.file' && !rewards.includes(undefined)) return first.reward !== second.reward;
    return valueAt(first.experiment, path) !== valueAt(second.experiment, path);
  });
}
