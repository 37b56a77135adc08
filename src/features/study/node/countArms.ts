/** Tasks counted in the files that a study's arms name, each file once. */
import { dirname } from 'node:path';
import { TaskCounter } from '../../../launch/inputs/taskCounter.ts';
import type { CountsOf } from '../core/workload.ts';
import type { OpenStudy } from './openStudy.ts';

/** @throws system errors other than those of files */
export async function countArms({ plan, base }: Pick<OpenStudy, 'plan' | 'base'>, dist: URL): Promise<CountsOf> {
  const counter = new TaskCounter(dist);
  const directory = dirname(base);
  for (const { experiment } of plan.arms) await counter.count(experiment, directory);
  return (experiment) => counter.known(experiment, directory);
}
