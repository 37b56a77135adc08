/** Loop overhead: the attempt phase against an endpoint of fixed latency with 256 samples in flight. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { StorekeeperScorer } from '../../src/benchmarks/storekeeper/scorer.ts';
import { openLoop } from '../../src/engine/openLoop.ts';
import { attempt } from '../../src/engine/phases/attempts/attempt.ts';
import { emptyState } from '../../src/engine/state.ts';
import type { Policy, Ports, SampleRequest } from '../../src/engine/ports.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import { presets } from '../../src/shared/experiment/presets.ts';
import type { Figure } from './figure.ts';
import type { Completion } from '../../src/engine/completion.ts';

const latency = 250;
const inFlight = 256;
const waves = 24;
const group = 8;

/** Answers every sample after the same time, 256 at a time, refilled the moment one ends. */
class FixedLatencyPolicy implements Policy {
  readonly capabilities: Policy['capabilities'] = {
    mode: 'frozen',
    losses: [],
    score: false,
    reduction: 'sum',
    maxContext: 8192,
    concurrency: inFlight,
    deterministic: false,
  };

  async *sample(_version: unknown, requests: readonly SampleRequest[]): AsyncIterable<Completion> {
    const waiting = requests.flatMap(({ id, n }) => Array.from({ length: n }, (_, index) => ({ id, index }))).values();
    const finished: Completion[] = [];
    let wake = Promise.withResolvers<null>();
    let working = inFlight;
    const work = async (): Promise<void> => {
      for (const { id, index } of waiting) {
        await sleep(latency);
        const tokens = Array.from({ length: 200 }, (_, i) => (i * 7919 + index) % 50_000);
        finished.push({
          requestId: id,
          index,
          promptTokens: tokens,
          tokens,
          logprobs: tokens.map((token) => -token / 50_000),
          text: 'first increase f0 rice 3',
          stopReason: 'stop',
        });
        wake.resolve(null);
      }
      working -= 1;
      wake.resolve(null);
    };
    const all = Promise.all(Array.from({ length: inFlight }, work));
    while (working > 0 || finished.length > 0) {
      const completion = finished.shift();
      if (completion !== undefined) {
        yield completion;
        continue;
      }
      await wake.promise;
      wake = Promise.withResolvers();
    }
    await all;
  }

  publish = (name: string) => Promise.resolve({ name, handle: name });
  checkpoint = (name: string) => Promise.resolve({ name, handle: name });
  restore = () => Promise.resolve(this);
  dispose = () => Promise.resolve();
}

/** Share of the ideal throughput that a whole phase reaches: sampling, scoring, records on disk. */
export async function benchLoop(): Promise<Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'genenv-bench-loop-'));
  try {
    const clock = { now: () => Date.now() };
    const log = { info: () => undefined, warn: () => undefined };
    const experiment = presets.embedded;
    const writer = await new RunStore(root, { clock, log, version: 'bench' }).create({ experiment });
    const policy = new FixedLatencyPolicy();
    const domain = new StorekeeperDomain();
    const ports: Ports = {
      agent: policy,
      environment: policy,
      domain,
      scorer: new StorekeeperScorer(),
      journal: writer,
      records: writer,
      clock,
      log,
      signal: new AbortController().signal,
    };
    const version = { name: 'agent@0', handle: 'agent@0' };
    const learner = { policy, version, initial: { policy, version }, updates: 0 };
    const { loop } = await openLoop(experiment, ports, emptyState, { agent: learner, environment: learner });
    const [first] = domain.seeds('base');
    if (first === undefined) throw new Error('The domain has no base tasks.');
    const tasks = Array.from({ length: (waves * inFlight) / group }, (_, i) => ({ ...first, id: `bench.${i}` }));
    const begin = performance.now();
    const plan = { purpose: 'train', epoch: 1, temperature: 1, keepSequences: true } as const;
    await attempt(loop, { ...plan, tasks, group, minimum: group, closed: false });
    const seconds = (performance.now() - begin) / 1000;
    await writer.close();
    const ideal = (waves * latency) / 1000;
    return [
      {
        name: 'loop throughput, share of the ideal (256 in flight, 250 ms)',
        value: (100 * ideal) / seconds,
        unit: '%',
        budget: 97,
        better: 'higher',
        note: `${waves * inFlight} rollouts of 200 tokens to disk in ${seconds.toFixed(2)} s`,
      },
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
