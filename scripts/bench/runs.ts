/** How fast a run folder is written, and how soon a very large one shows something. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { RunStore } from '../../src/runs/store/runStore.ts';
import type { RunWriter } from '../../src/runs/store/runWriter.ts';
import { resolveExperiment } from '../../src/shared/experiment/resolve.ts';
import type { JournalEvent } from '../../src/shared/journal/events.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import type { Figure } from './figure.ts';

const openingSchema = z.object({
  runs: z.number(),
  traces: z.number(),
  families: z.number(),
  seconds: z.number(),
  rss: z.number(),
});

const events = 200_000;
const traces = 1_000_000;
/** Traces handed over at once, and families of 4 tasks with 8 attempts each an epoch. */
const batch = 256;
const perEpoch = 20_000;
const group = 8;
const manyRuns = 100;

const experiment = resolveExperiment({ version: 1, name: 'bench', preset: 'embedded', mode: 'coevolve', seed: 1 });

/** Runs in a temporary folder of about 2.1 GB, which it removes. */
export async function benchRuns(): Promise<Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'genenv-bench-'));
  try {
    const small = await storeAt(join(root, 'small')).create({ experiment });
    const rows = [...(await benchJournal(small)), await benchSingleTraces(small)];
    await small.close();
    const large = await storeAt(join(root, 'large')).create({ experiment });
    rows.push(await benchTraces(large));
    await large.close();
    rows.push(...(await benchOpen(join(root, 'large'), large.dir)));
    return [...rows, await benchList(join(root, 'many'))];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const storeAt = (root: string): RunStore =>
  new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });

const smallEvent = (seq: number): JournalEvent => ({
  v: 1,
  seq,
  at: 1_790_000_000_000 + seq,
  type: 'environment.skipped',
  epoch: 1,
  reason: 'No family lay in the band.',
  familiesKept: 0,
  families: 14,
});

function epochEvents(epoch: number): JournalEvent[] {
  const version = { name: `agent@${epoch}`, handle: `agent@${epoch}` };
  const head = (i: number) => ({ v: 1 as const, seq: 8 * (epoch - 1) + i, at: 0, epoch });
  const rate = { successes: 5, attempts: 10, p: 0.5, low: 0.24, high: 0.76 };
  const summary = {
    epoch,
    successRate: rate,
    inBand: 0.5,
    environmentReward: 0.9,
    familiesKept: 7,
    families: 14,
    effectiveSampleSize: 6.5,
    kl: { agent: 0.01, environment: 0.02 },
    taskLength: 30,
    answerLength: 14,
    rejected: { schema: 2 },
    rollouts: 512,
    tokens: 20_000,
    seconds: 2.5,
  };
  const settings = { alpha: 0.5, beta: 8, lambda: 1, kMin: 0.25 };
  return [
    { ...head(0), type: 'epoch.started', settings, versions: { agent: version, environment: version } },
    ...Array.from({ length: 6 }, (_, i) => ({ ...smallEvent(0), ...head(i + 1) })),
    { ...head(7), type: 'epoch.finished', summary },
  ];
}

async function benchJournal(writer: RunWriter): Promise<Figure[]> {
  const start = performance.now();
  const appended: Promise<void>[] = [];
  for (let seq = 0; seq < events; seq++) {
    appended.push(writer.append(smallEvent(seq)));
    // As many in flight as a busy loop could have; awaiting all at once would only measure one big write.
    if (appended.length === 1024) await Promise.all(appended.splice(0));
  }
  await Promise.all(appended);
  const grouped = events / ((performance.now() - start) / 1000);
  const alone = 200;
  const again = performance.now();
  for (let seq = events; seq < events + alone; seq++) await writer.append(smallEvent(seq));
  const single = alone / ((performance.now() - again) / 1000);
  return [
    {
      name: 'journal: small events, 1,024 in flight',
      value: grouped,
      unit: 'events/s',
      budget: 50_000,
      note: 'fdatasync',
    },
    {
      name: 'journal: small events, one at a time',
      value: single,
      unit: 'events/s',
      note: 'the disk’s fdatasync rate',
    },
  ];
}

/** About 2 kB: 100 tokens sampled after a prompt of 100, logprobs to six decimals as the loop records them. */
export function sampleTrace(index: number): Trace {
  const epoch = Math.floor(index / perEpoch);
  const task = Math.floor((index % perEpoch) / group);
  const attempt = index % group;
  const tokens = Array.from({ length: 200 }, (_, i) => (index * 7 + i * 31) % 128);
  const logprobs = Array.from({ length: 100 }, (_, i) => -Math.round((((index + i * 17) % 997) / 331) * 1e6) / 1e6);
  const success = (index * 2_654_435_761) % 7 < 3;
  return {
    v: 1,
    id: `e${epoch}/e${epoch}.f${task >> 2}.v${task & 3}/r${attempt}`,
    purpose: 'train',
    task: `e${epoch}.f${task >> 2}.v${task & 3}`,
    family: `e${epoch}.f${task >> 2}`,
    epoch,
    version: `agent@${epoch}`,
    messages: [{ role: 'assistant', content: 'first increase f3 apple n4 '.repeat(4), tokens: tokens.slice(100) }],
    sequences: [{ tokens, spans: [[100, 200]], logprobs }],
    stopReason: 'stop',
    verdict: { success, reward: success ? 1 : 0, valid: true },
  };
}

async function benchSingleTraces(writer: RunWriter): Promise<Figure> {
  const count = 5_000;
  const made = Array.from({ length: count }, (_, i) => sampleTrace(i));
  const start = performance.now();
  for (const trace of made) await writer.appendTraces([trace]);
  const rate = count / ((performance.now() - start) / 1000);
  return { name: 'traces: one at a time, as rollouts finish', value: rate, unit: 'traces/s' };
}

async function benchTraces(writer: RunWriter): Promise<Figure> {
  let busy = 0;
  let pending: Promise<void> = Promise.resolve();
  for (let from = 0; from < traces; from += batch) {
    const made = Array.from({ length: Math.min(batch, traces - from) }, (_, i) => sampleTrace(from + i));
    const start = performance.now();
    const next = writer.appendTraces(made);
    await pending;
    pending = next;
    busy += performance.now() - start;
  }
  const start = performance.now();
  await pending;
  await writer.append(smallEvent(0));
  busy += performance.now() - start;
  const { size } = await stat(join(writer.dir, 'traces.jsonl'));
  const note = `${(size / 1e9).toFixed(1)} GB in ${traces.toLocaleString('en')} traces, synced at the end`;
  return { name: 'traces: batches', value: size / 1e6 / (busy / 1000), unit: 'MB/s', budget: 100, note };
}

/** Runs of sixty epochs, as a workspace of some weeks holds them. */
export async function writeManyRuns(root: string): Promise<RunStore> {
  const store = storeAt(root);
  for (let run = 0; run < manyRuns; run++) {
    const writer = await store.create({ experiment });
    await writer.session({ type: 'started' });
    for (let epoch = 1; epoch <= 60; epoch++)
      await Promise.all(epochEvents(epoch).map((event) => writer.append(event)));
    await writer.session({ type: 'paused', reason: 'bench' });
    await writer.close();
  }
  return store;
}

/** Heads of many runs, as activation reads them. */
async function benchList(root: string): Promise<Figure> {
  const store = await writeManyRuns(root);
  const start = performance.now();
  await store.list();
  return {
    name: `list ${manyRuns} runs`,
    value: performance.now() - start,
    unit: 'ms',
    budget: 50,
    better: 'lower',
    note: 'no file read beyond heads and tails',
  };
}

/** In its own process, whose memory belongs to nothing else. */
async function benchOpen(root: string, dir: string): Promise<Figure[]> {
  const script = fileURLToPath(new URL('./openRun.ts', import.meta.url));
  const open = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, root]);
    return openingSchema.parse(JSON.parse(stdout));
  };
  const opened = await open();
  await rm(join(dir, 'index'), { recursive: true });
  const rebuilt = await open();
  const note = `${opened.traces.toLocaleString('en')} traces, ${opened.families.toLocaleString('en')} families`;
  return [
    { name: 'open a large run: first summary', value: opened.seconds, unit: 's', better: 'lower', budget: 1, note },
    { name: 'open a large run: more memory', value: opened.rss / 1e6, unit: 'MB', better: 'lower', budget: 150 },
    {
      name: 'open a large run whose index is lost',
      value: rebuilt.seconds,
      unit: 's',
      better: 'lower',
      note: 'rebuilt from the traces',
    },
    {
      name: 'open a large run whose index is lost: more memory',
      value: rebuilt.rss / 1e6,
      unit: 'MB',
      better: 'lower',
    },
  ];
}
