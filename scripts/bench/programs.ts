/**
 * The cost of programs that ask the agent through our HTTP server: 256 attempts at once, each a growing conversation,
 * with clients in their own thread, and a policy that answers after a fixed time.
 */
import { Worker } from 'node:worker_threads';
import { Calls } from '../../src/domains/programs/calls.ts';
import { Door } from '../../src/domains/programs/door.ts';
import type { Leader } from '../../src/engine/leader.ts';
import { attempt } from '../../src/engine/phases/attempts/attempt.ts';
import type { Policy } from '../../src/engine/ports.ts';
import { verdictOf } from '../../src/shared/rewards/result.ts';
import type { Task } from '../../src/shared/records/task.ts';
import { LadderDomain, LadderScorer } from '../../test/support/scripted/ladder.ts';
import { smallExperiment } from '../../test/support/scripted/scriptedRun.ts';
import { ScriptedPolicy } from '../../test/support/scripted/scriptedPolicy.ts';
import type { Figure } from './figure.ts';
import { processorSeconds } from './processorSeconds.ts';
import type { Completion } from '../../src/engine/completion.ts';

/** Milliseconds of an answer of 200 tokens. */
const latency = 2000;
const attempts = 256;
const turns = 6;
const answerTokens = Array.from({ length: 200 }, (_, i) => 97 + (i % 26));
const text = String.fromCharCode(...answerTokens);
const logprobs = answerTokens.map((_, i) => -1 - i / 1000);

/** Made once a text: an endpoint's work is no part of what is measured. */
const known = new Map<string, readonly number[]>();
function tokensOf(content: string): readonly number[] {
  const tokens = known.get(content) ?? Array.from(content, (c) => c.charCodeAt(0));
  known.set(content, tokens);
  return tokens;
}

/** Answers everything after the same time, however much is asked. @param answering milliseconds, read at each question */
function waiting(answering: { after: number }): Policy {
  const policy = new ScriptedPolicy('agent', 4);
  return Object.assign(policy, {
    capabilities: { ...policy.capabilities, concurrency: attempts, deterministic: false },
    async *sample(...[, requests]: Parameters<Policy['sample']>): AsyncGenerator<Completion> {
      await new Promise((resolve) => setTimeout(resolve, answering.after));
      for (const { id, messages } of requests) {
        const promptTokens = messages.flatMap(({ tokens, content }) => tokens ?? tokensOf(content));
        yield { requestId: id, index: 0, promptTokens, tokens: answerTokens, logprobs, text, stopReason: 'stop' };
      }
    },
  });
}

export async function benchPrograms(): Promise<Figure[]> {
  const door = await Door.open();
  const clients = new Worker(new URL('./programs/clients.ts', import.meta.url), {
    workerData: { url: door.url, turns },
  });
  const ends = new Map<string, () => void>();
  clients.on('message', (key: string) => ends.get(key)?.());
  const leader: Leader = {
    atOnce: attempts,
    lead: async (_task, _attempt, ask) => {
      const calls = new Calls(ask);
      const { key, leave } = door.admit((body, gone) => calls.answer(body, gone));
      await new Promise<void>((resolve) => {
        ends.set(key, resolve);
        clients.postMessage(key);
      });
      leave();
      return { verdict: verdictOf(1, 'stop') };
    },
  };
  const domain = Object.assign(new LadderDomain(), { leader });
  const answering = { after: 20 };
  const policy = waiting(answering);
  const [task] = domain.seeds('base');
  if (task === undefined) throw new Error('Unreachable: the ladder has seeds.');
  const tasks = Array.from({ length: attempts / 4 }, (_, i): Task => ({ ...task, id: `t${i}` }));
  let traces = 0;
  const run = async (): Promise<void> => {
    await attempt(
      {
        experiment: smallExperiment({ rollouts: { maxTurns: turns } }),
        agent: { policy, version: await policy.publish('agent@0') },
        ports: {
          ...{ domain, scorer: new LadderScorer(), signal: new AbortController().signal },
          records: {
            tracesOf: () => Promise.resolve([]),
            appendTraces: (more) => {
              traces += more.length;
              return Promise.resolve();
            },
          },
        },
      },
      {
        ...{ purpose: 'train', epoch: 1, tasks, group: 4, minimum: 4, closed: false },
        ...{ temperature: 1, keepSequences: true },
      },
    );
  };
  try {
    // The code is compiled once a run, and a run has thousands of calls.
    await run();
    answering.after = latency;
    traces = 0;
    const [began, spent] = [performance.now(), processorSeconds()];
    await run();
    const [took, cost] = [performance.now() - began, processorSeconds() - spent];
    if (traces !== attempts) throw new Error(`${traces} of ${attempts} attempts were recorded.`);
    return [
      {
        ...{ name: 'Processor time of a call', value: (1000 * cost) / (attempts * turns), unit: 'ms' },
        ...{ budget: 3, better: 'lower', note: 'body read, conversation found again, sampled, recorded, told' },
      },
      {
        ...{ name: `Throughput of ${attempts} attempts at once`, value: (100 * turns * latency) / took, unit: '%' },
        ...{ budget: 95, note: `of an endpoint that answers each after ${latency / 1000} s, ${turns} turns` },
      },
    ];
  } finally {
    await clients.terminate();
    door.close();
  }
}
