/** Our loop against the bench's server: tasks are given, so that attempts and updates alone are asked of it, as by other loops. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineTime } from '../../../src/endpoints/time.ts';
import { coevolve } from '../../../src/engine/coevolve.ts';
import type { Domain, Ports, Scorer } from '../../../src/engine/ports.ts';
import { openTinker } from '../../../src/launch/policies/openTinker.ts';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task, TaskDraft } from '../../../src/shared/records/task.ts';
import { agreedKeys } from '../../../test/support/agreedKeys.ts';
import { ScriptedPolicy } from '../../../test/support/scripted/scriptedPolicy.ts';
import type { Sizes } from './sizes.ts';

const user = (content: string): Message => ({ role: 'user', content });

/** In words that the served model knows. */
const draft = (words: string): TaskDraft => ({
  ...{ prompt: [user(`REQ ${words} CALLS`)], evaluation: { kind: 'exact' }, gold: 'clear' },
  ...{ complexity: {}, plan: '' },
});

const seeds = (split: 'base' | 'validation'): Task[] =>
  Array.from({ length: 64 }, (_, i) => ({
    ...{ v: 1, id: `${split}.${i}`, family: `${split}.${i}`, epoch: 0, origin: split, seed: null, status: 'accepted' },
    ...draft(`f${i % 10} ${Math.floor(i / 10)}`),
  }));

const domain: Domain = {
  ...{ name: 'given', seeds },
  environmentPrompt: ({ seed }) => [user(seed.id)],
  parseTask: (text) => ({ ok: true, draft: draft(text) }),
  verify: () => ({ ok: true }),
  fingerprint: ({ prompt }) => prompt.map(({ content }) => content).join('\n'),
  agentPrompt: ({ prompt }) => prompt,
  environment: () => null,
};

const scorer: Scorer = {
  score: (_, { messages }) => {
    const success = messages.at(-1)?.content.startsWith('clear') === true;
    return { success, reward: success ? 1 : 0, valid: true };
  },
};

const digit = (number: number): number => Math.floor(number * 19);

/** @param streamed minibatches of an update that are trained while others are attempted; 1: none */
export async function runOurs(
  url: string,
  { group, groups, steps, slots }: Sizes,
  rollouts: Partial<Experiment['rollouts']>,
  streamed = 1,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'genenv-bench-peers-'));
  const clock = { now: () => Date.now() };
  const log = { info: () => undefined, warn: (text: string) => console.error(text) };
  const { signal } = new AbortController();
  const experiment = experimentSchema.parse(
    withPreset({
      ...{ preset: 'embedded', name: 'peers', epochs: steps, validation: { every: 0 } },
      generation: { families: groups, variations: 1, heldOutRun: null },
      rollouts: { group, ...rollouts, maxTokens: 60, baseShare: 0, poolShare: 0 },
      agent: { minibatch: (group * groups) / streamed, stream: streamed > 1, passes: 1, klCoefficient: 0 },
      environment: { steps: 1, bufferEpochs: 1, baseShare: 0, klCoefficient: 0 },
    }),
  );
  const writer = await new RunStore(root, { clock, log, version: 'bench' }).create({ experiment });
  const endpoint = { ...endpointDefaults.tinker, url, key: null, model: 'genenv/agent', rank: 8, inFlight: slots };
  const agent = await openTinker(endpoint, 'agent', {
    ...{ dir: writer.dir, dist: new URL('../../../dist/', import.meta.url), time: machineTime, log, signal },
    ...{ schedulers: new Schedulers(machineTime), keys: agreedKeys({}), trained: 'alone' },
  });
  const says = (_: string, rng: { next(): number }): string =>
    Array.from({ length: 6 }, () => digit(rng.next())).join(' ');
  const environment = new ScriptedPolicy('environment', 4, new Map(), { samples: [] }, says);
  const ports: Ports = {
    ...{ agent, environment, domain, scorer, clock, log, signal },
    journal: writer,
    records: writer,
  };
  try {
    for await (const event of coevolve(experiment, ports)) if (event.type === 'run.finished') break;
  } finally {
    await agent.dispose();
    await writer.close();
    await rm(root, { recursive: true, force: true });
  }
}
