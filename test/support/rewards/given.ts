/** Inputs of a reward's test: a file in its own folder, and calls to judge. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RewardCall } from '../../../src/shared/rewards/given.ts';

/** A folder with these files; the caller gives it back with `drop`. */
export async function rewardFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-reward-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

export const drop = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

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
