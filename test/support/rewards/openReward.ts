/** Reward files of a test, each judged by processes of its own. */
import { dirname, join } from 'node:path';
import { RewardHost, type RewardHostOptions } from '../../../src/rewards/processes/rewardHost.ts';
import { dist } from '../built.ts';
import { rewardFolder } from './given.ts';

/** A host over one file with a small memory. */
export async function openReward(
  name: string,
  text: string,
  options: Partial<RewardHostOptions> = {},
): Promise<RewardHost> {
  const folder = await rewardFolder({ [name]: text });
  return hostOf(join(folder, name), options);
}

export const hostOf = (file: string, options: Partial<RewardHostOptions> = {}): Promise<RewardHost> =>
  RewardHost.open(file, {
    dist,
    python: 'python3',
    seconds: 20,
    megabytes: 128,
    network: false,
    workers: 1,
    ...options,
  });

export const folderOf = (host: RewardHost): string => dirname(host.files[0] ?? '');
