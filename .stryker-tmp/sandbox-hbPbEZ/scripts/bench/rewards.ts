/** A person's own reward: trivial calls through one process, whole tasks and traces there and verdicts back. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { RewardHost } from '../../src/rewards/processes/rewardHost.ts';
import type { RewardCall } from '../../src/shared/rewards/given.ts';
import type { Figure } from './figure.ts';

const dist = new URL('../../dist/', import.meta.url);
const calls = 60_000;
const files = {
  'own.reward.ts':
    'export const reward = (task: { gold: string }, trace: { answer: string }): number => (trace.answer === task.gold ? 1 : 0);\n',
  'own.reward.py': 'def reward(task, trace):\n    return 1 if trace["answer"] == task["gold"] else 0\n',
};

export async function benchRewards(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-rewards-'));
  try {
    const figures: Figure[] = [];
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text);
      figures.push({
        name,
        value: await rate(join(folder, name)),
        unit: 'calls/s',
        budget: 20_000,
        note: 'one process',
      });
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rate(file: string): Promise<number> {
  const limits = { seconds: 10, megabytes: 512, network: false };
  const host = await RewardHost.open(file, { dist, python: 'python3', workers: 1, ...limits });
  try {
    await judgeAll(host, calls / 4);
    const began = performance.now();
    await judgeAll(host, calls);
    return calls / ((performance.now() - began) / 1000);
  } finally {
    host.dispose();
  }
}

async function judgeAll(host: RewardHost, count: number): Promise<void> {
  let right = 0;
  const all = Array.from({ length: count }, (_, i) => callOf(i));
  for await (const { verdict } of host.score(all, new AbortController().signal)) if (verdict.success) right += 1;
  if (right !== count / 2) throw new Error(`${right} of ${count} verdicts are right.`);
}

const callOf = (index: number): RewardCall => {
  const answer = index % 2 === 0 ? 'first get f0 rice' : 'first get f0 salt';
  return {
    task: {
      id: `base.${index}`,
      family: `f${index}`,
      epoch: 1,
      prompt: [{ role: 'user', content: 'Get rice from the first shelf, and say what is left there afterwards.' }],
      evaluation: { kind: 'exact' },
      gold: 'first get f0 rice',
      seed: null,
      plan: '',
    },
    trace: {
      id: `e1/base.${index}/r0`,
      messages: [{ role: 'assistant', content: answer }],
      answer,
      toolCalls: null,
      stopReason: 'stop',
      version: 'agent@0',
    },
  };
};
