/** Reward files of a test, and calls to judge by them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RewardHost, type RewardHostOptions } from '../../../src/rewards/processes/rewardHost.ts';
import type { RewardCall } from '../../../src/shared/rewards/given.ts';

export const dist = new URL('../../../dist/', import.meta.url);

/** A folder with these files; the caller gives it back with `drop`. */
export async function rewardFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-reward-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

export const drop = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

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

/** An attempt that answered `answer`. */
export const callOf = (answer: string, id = 'e1/t/r0'): RewardCall => ({
  task: {
    id: 't',
    family: 'f',
    epoch: 1,
    prompt: [{ role: 'user', content: 'Say it.' }],
    evaluation: { kind: 'exact' },
    gold: 'it',
    seed: null,
    plan: '',
  },
  trace: {
    id,
    messages: [{ role: 'assistant', content: answer }],
    answer,
    toolCalls: null,
    stopReason: 'stop',
    version: 'agent@0',
  },
});
