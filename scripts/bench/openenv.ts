/**
 * Whether episodes on an OpenEnv server keep it full: 512 attempts on a server of 64 sessions, whose answers take
 * from 50 to 150 ms, asked of a policy that answers at once.
 */
import { Worker } from 'node:worker_threads';
import { ScorerTable } from '../../src/benchmarks/scorerTable.ts';
import { FileDomain } from '../../src/domains/fileDomain.ts';
import { attempt } from '../../src/engine/phases/attempts/attempt.ts';
import type { Completion } from '../../src/engine/completion.ts';
import type { Policy } from '../../src/engine/ports.ts';
import { openenvAt } from '../../src/launch/domains/doctorOpenenv.ts';
import { openOpenenv } from '../../src/launch/domains/openenv.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import { agreedKeys } from '../../test/support/agreedKeys.ts';
import { makeTask } from '../../test/support/runs/records.ts';
import { ScriptedPolicy } from '../../test/support/scripted/scriptedPolicy.ts';
import { smallExperiment } from '../../test/support/scripted/scriptedRun.ts';
import type { Figure } from './figure.ts';
import { processorSeconds } from './processorSeconds.ts';

const attempts = 512;
const sessions = 64;
/** Mean milliseconds of an answer of the server: half of it to one and a half. */
const answer = 100;
const steps = 10;
/** Best of several rounds: other work on the machine only ever slows one down, and all sessions wait for the slowest answer. */
const rounds = 4;

/** One action, at once. */
function acting(): Policy {
  const policy = new ScriptedPolicy('agent', 4);
  return Object.assign(policy, {
    capabilities: { ...policy.capabilities, concurrency: attempts, deterministic: false },
    async *sample(...[, requests]: Parameters<Policy['sample']>): AsyncGenerator<Completion> {
      await Promise.resolve();
      for (const { id } of requests) {
        const said = {
          promptTokens: [1],
          tokens: [2],
          logprobs: [-1],
          text: '{"add": 1}',
          stopReason: 'stop',
        } as const;
        yield { requestId: id, index: 0, ...said };
      }
    },
  });
}

export async function benchOpenenv(): Promise<Figure[]> {
  const thread = new Worker(new URL('./openenv/server.ts', import.meta.url), {
    workerData: { sessions, answer, steps },
  });
  const url = await new Promise<unknown>((resolve, reject) => thread.once('message', resolve).once('error', reject));
  const { signal } = new AbortController();
  const log = { info: () => undefined, warn: () => undefined };
  const server = await openOpenenv(openenvAt(String(url), null).settings, { keys: agreedKeys({}), log, signal });
  try {
    const rules = await ScorerTable.open([]);
    const file = { has: () => false, call: () => Promise.reject(new Error('Unreachable: the file has no function.')) };
    const none = { base: [], heldOut: [] };
    const domain = new FileDomain('bench.domain.js', file, none, rules, { played: { server, solvedAt: 1 } });
    const { judge } = domain;
    if (judge === null) throw new Error('Unreachable: rewards of the server judge.');
    const policy = acting();
    const tasks = Array.from({ length: attempts / 4 }, (_, i) =>
      makeTask({ id: `t${i}`, evaluation: { kind: 'domain', reset: { seed: i } }, gold: null }),
    );
    const traces: Trace[] = [];
    const run = async () =>
      attempt(
        {
          experiment: smallExperiment({ rollouts: { maxTurns: steps + 1 } }),
          agent: { policy, version: await policy.publish('agent@0') },
          ports: {
            ...{ domain, scorer: rules, judge, signal },
            records: {
              tracesOf: () => Promise.resolve([]),
              appendTraces: (more) => {
                traces.push(...more);
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
    // The code is compiled once a run, and a run has thousands of steps.
    await run();
    let [took, cost] = [Infinity, Infinity];
    for (let round = 0; round < rounds; round++) {
      traces.length = 0;
      const [began, spent] = [performance.now(), processorSeconds()];
      await run();
      took = Math.min(took, performance.now() - began);
      cost = Math.min(cost, processorSeconds() - spent);
      const solved = traces.filter(({ verdict }) => verdict.success).length;
      if (solved !== attempts) throw new Error(`${solved} of ${attempts} attempts were played to their end.`);
    }
    const answers = (attempts / sessions) * (steps + 1);
    return [
      {
        ...{ name: `Server of ${sessions} sessions kept full`, value: (100 * answers * answer) / took, unit: '%' },
        ...{
          budget: 90,
          note: `${attempts} episodes of ${steps} steps, answers after 50 to 150 ms; best of ${rounds} rounds`,
        },
      },
      {
        ...{ name: 'Processor time of a step', value: (1000 * cost) / (attempts * (steps + 1)), unit: 'ms' },
        ...{ better: 'lower', note: 'said, answered, read, recorded; connections included' },
      },
    ];
  } finally {
    await server.close();
    await thread.terminate();
  }
}
