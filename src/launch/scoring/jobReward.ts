/** The run's copy of its reward in the form for a job of verl. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rewardInJob } from '../../rewards/processes/python/inJob.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { readKept } from './reward.ts';

/**
 * Python for a job's reward file; null where the experiment's scorer judges, or no job needs the reward. @param dist
 * the folder of built files @throws InputError where the copy was changed
 */
export async function jobReward(
  dir: string,
  dist: URL,
  reward: Experiment['reward'] | undefined,
): Promise<string | null> {
  if (reward === undefined || reward.file === null || rewardLanguage(reward.file) !== 'python') return null;
  const { file, files } = await readKept(dir);
  const texts: Record<string, string> = {};
  for (const path of Object.keys(files)) texts[path] = await readFile(join(dir, 'inputs', 'reward', path), 'utf8');
  const worker = await readFile(new URL('reward-worker.py', dist), 'utf8');
  const { seconds, megabytes, network } = reward;
  return rewardInJob({ file, files: texts, worker, seconds, megabytes, network });
}
