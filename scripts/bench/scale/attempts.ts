/**
 * Attempts of the loop on stand-in servers over HTTP, recorded as a run records them, in a process of its own:
 * `attempts.ts ROOT URLS INFLIGHT TASKS TURNS`. It prints what that took.
 */
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { StorekeeperScorer } from '../../../src/benchmarks/storekeeper/scorer.ts';
import { openLoop } from '../../../src/engine/openLoop.ts';
import { attempt } from '../../../src/engine/phases/attempts/attempt.ts';
import type { Ports } from '../../../src/engine/ports.ts';
import { emptyState } from '../../../src/engine/state.ts';
import { machineTime } from '../../../src/endpoints/time.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import { openOpenai } from '../../../src/launch/policies/openOpenai.ts';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { LadderDomain, LadderScorer } from '../../../test/support/scripted/ladder.ts';
import { watched } from './watched.ts';

const [, , root = '', urls = '', ...numbers] = process.argv;
const [inFlight = 1, count = 1, turns = 1] = numbers.map(Number);
const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const { signal } = new AbortController();

const experiment = {
  ...presets.embedded,
  rollouts: { ...presets.embedded.rollouts, maxTurns: turns, maxTokens: 2048, maxSequence: 1 << 20 },
};
const store = new RunStore(root, { clock, log, version: 'bench' });
const writer = await store.create({ experiment });
const url = urls
  .split(' ')
  .map((one) => `${one}/v1`)
  .join(' ');
const policy = await openOpenai({ ...endpointDefaults.openai, url, model: 'm', inFlight }, 'agent', {
  ...{ dir: writer.dir, run: 'run', dist: new URL('../../../dist/', import.meta.url), time: machineTime },
  ...{ schedulers: new Schedulers(machineTime), log, keys: environmentKeys({}), signal },
});
const domain = turns === 1 ? new StorekeeperDomain() : new LadderDomain({ turns });
const scorer = turns === 1 ? new StorekeeperScorer() : new LadderScorer();
const ports: Ports = {
  ...{ agent: policy, environment: policy, domain, scorer, journal: writer, records: writer, clock, log, signal },
};
const version = await policy.publish('agent@0');
const learner = { policy, version, initial: { policy, version }, updates: 0 };
const { loop } = await openLoop(experiment, ports, emptyState, { agent: learner, environment: learner });
const [first] = domain.seeds('base');
if (first === undefined) throw new Error('The domain has no base tasks.');
const tasks = Array.from({ length: count }, (_, i) => ({ ...first, id: `bench.${i}` }));
globalThis.gc?.();
const begin = performance.now();
const took = await watched(async () => {
  const plan = { purpose: 'train', epoch: 1, temperature: 1, keepSequences: true } as const;
  await attempt(loop, { ...plan, tasks, group: 1, minimum: 1, closed: false });
});
const seconds = (performance.now() - begin) / 1000;
await writer.close();
await policy.dispose();
const opened = await watched(async () => {
  const reader = await store.openReader(writer.id);
  const { traces } = await reader.rows();
  const middle = performance.now();
  const trace = await reader.traceAt(Math.floor(traces.count / 2));
  const one = { traces: traces.count, turns: trace?.messages.filter(({ role }) => role === 'assistant').length ?? 0 };
  await reader.close();
  return { ...one, milliseconds: performance.now() - middle };
});
console.log(JSON.stringify({ seconds, took: { ...took, told: null }, opened }));
