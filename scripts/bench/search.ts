/** Searching runs of very many traces: how soon there is a hit, how long everything takes, who is held meanwhile. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { RunStore } from '../../src/runs/store/runStore.ts';
import { nodeFiles } from '../../src/runs/files/fileOperations.ts';
import { SearchClient } from '../../src/features/search/node/searchClient.ts';
import { extendTextIndexes } from '../../src/features/search/node/textIndexes.ts';
import { resolveExperiment } from '../../src/shared/experiment/resolve.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import type { Figure } from './figure.ts';
import { sampleTrace } from './runs.ts';

const sizes = [10_000, 100_000, 1_000_000];
const batch = 256;
/** As the editor asks. */
const limit = 10_000;
const script = new URL('../../dist/search-worker.js', import.meta.url);
const experiment = resolveExperiment({ version: 1, name: 'bench', preset: 'embedded', mode: 'coevolve', seed: 1 });
const deps = { clock: { now: () => Date.now() }, log: console };

/** Runs in a temporary folder of about 2.4 GB, which it removes. */
export async function benchSearch(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const traces of sizes) {
    const root = await mkdtemp(join(tmpdir(), 'genenv-bench-search-'));
    try {
      figures.push(...(await benchSize(root, traces)));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
  return figures;
}

/** "walrus" is in one trace of 10,000, "quicksand" in the oldest alone, "retry" in every third. */
function searchedTrace(index: number): Trace {
  const words = Array.from({ length: 14 }, (_, i) => `w${(index * 2_654_435_761 + i * 40_503) % 3001}`);
  if (index % 10_000 === 4321) words[3] = 'walrus';
  if (index === 5) words[3] = 'quicksand';
  if (index % 3 === 0) words[7] = 'retry';
  const trace = sampleTrace(index);
  const [said] = trace.messages;
  return { ...trace, messages: [{ role: 'assistant', tokens: said?.tokens ?? [], content: words.join(' ') }] };
}

async function benchSize(root: string, traces: number): Promise<Figure[]> {
  const writer = await new RunStore(root, { ...deps, version: 'bench' }).create({ experiment });
  for (let from = 0; from < traces; from += batch) {
    await writer.appendTraces(
      Array.from({ length: Math.min(batch, traces - from) }, (_, i) => searchedTrace(from + i)),
    );
  }
  await writer.close();
  const { dir } = writer;
  const { size } = await stat(join(dir, 'traces.jsonl'));
  const name = `${traces.toLocaleString('en')} traces, ${(size / 1e6).toFixed(0)} MB`;
  const before = await searched(dir, 'quicksand');
  const start = performance.now();
  await extendTextIndexes(dir, { ...deps, files: nodeFiles }, () => Promise.resolve());
  const building = (performance.now() - start) / 1000;
  const index = await stat(join(dir, 'index', 'traces.text.bin'));
  const figures: Figure[] = [
    {
      ...{ name: `${name}: first search of all, before there is a text index`, value: before.all, unit: 'ms' },
      better: 'lower',
      note: `one hit, in the oldest trace; ${((size / 1e6 / before.all) * 1000).toFixed(0)} MB/s`,
    },
    {
      name: `${name}: text index, made between searches`,
      value: building,
      unit: 's',
      better: 'lower',
      note: `${(index.size / 1e6).toFixed(1)} MB`,
    },
  ];
  for (const query of [
    'walrus',
    'quicksand',
    'retry',
    'retry verdict:fail epoch:1..2',
    'verdict:fail len>50',
    'nowhere',
  ]) {
    const { first, all, hits, held, memory, processor } = await searched(dir, query);
    const note = `${hits.toLocaleString('en')} hits, all after ${all.toFixed(0)} ms, ${processor.toFixed(0)} of them of processor; host held ${held.toFixed(0)} ms at most; ${memory.toFixed(0)} MB more`;
    figures.push({
      ...{ name: `${name}: ${query}, ${hits === 0 ? 'end' : 'first hit'}`, value: first ?? all, unit: 'ms' },
      ...(hits === 0 ? {} : { budget: 200 }),
      ...{ better: 'lower', note },
    });
  }
  return figures;
}

interface Searched {
  /** Milliseconds to the first hit, in a thread that is warm; null without one. */
  first: number | null;
  all: number;
  hits: number;
  /** Longest time this thread was held, in milliseconds. */
  held: number;
  /** Milliseconds of processor, of both threads: what other programs do not lengthen. */
  processor: number;
  /** Megabytes that the process grew by, the search's thread included. */
  memory: number;
}

async function searched(dir: string, text: string): Promise<Searched> {
  const client = new SearchClient(script, (message) => {
    throw new Error(message);
  });
  const { signal } = new AbortController();
  try {
    let [first, hits]: [number | null, number] = [null, 0];
    // The first search starts the thread.
    await client.search({
      dir,
      text: 'epoch:99999',
      limit: 1,
      signal,
      onHits: () => undefined,
      onProgress: () => undefined,
    });
    const memory = process.memoryUsage.rss();
    let peak = memory;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const used = process.cpuUsage();
    const start = performance.now();
    await client.search({
      ...{ dir, text, limit, signal },
      onHits: (some) => {
        first ??= performance.now() - start;
        hits += some.length;
        peak = Math.max(peak, process.memoryUsage.rss());
      },
      onProgress: () => {
        peak = Math.max(peak, process.memoryUsage.rss());
      },
    });
    const all = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    delay.disable();
    return {
      first,
      all,
      hits,
      held: delay.max / 1e6,
      memory: (peak - memory) / 1e6,
      processor: (user + system) / 1000,
    };
  } finally {
    await client.dispose();
  }
}
