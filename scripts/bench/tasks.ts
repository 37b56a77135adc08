/** How soon the task editor shows, orders, filters and searches a run's tasks, and what that holds. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { RunStore } from '../../src/runs/store/runStore.ts';
import type { RunWriter } from '../../src/runs/store/runWriter.ts';
import { resolveExperiment } from '../../src/shared/experiment/resolve.ts';
import type { Task } from '../../src/shared/records/task.ts';
import type { Trace } from '../../src/shared/records/trace.ts';
import type { Figure } from './figure.ts';

const sizes = [10_000, 100_000, 1_000_000];
const batch = 256;
const perEpoch = 20_000;
const number = z.number();
const foundSchema = z.object({
  ...{ count: number, held: number, memory: number, open: number, screen: number },
  ...{ sort: number, filter: number, exclude: number, scan: number, name: number, search: number },
});

/** Runs in a temporary folder of up to 2.3 GB each, removed one by one. */
export async function benchTasks(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const root = await mkdtemp(join(tmpdir(), 'genenv-bench-'));
    try {
      figures.push(...(await benchSize(root, size)));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
  return figures;
}

async function benchSize(root: string, size: number): Promise<Figure[]> {
  const store = new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });
  const experiment = resolveExperiment({ version: 1, name: 'bench', preset: 'embedded', mode: 'coevolve', seed: 1 });
  const writer = await store.create({ experiment });
  await write(writer, size);
  await writer.close();
  const bytes = (await stat(join(writer.dir, 'tasks.jsonl'))).size;
  // Written data would otherwise still be on its way to the disk during the reads.
  await promisify(execFile)('sync');
  const script = fileURLToPath(new URL('./openTasks.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, root]);
  const found = foundSchema.parse(JSON.parse(stdout));
  const name = found.count.toLocaleString('en');
  const large = size === sizes.at(-1);
  const lower = (what: string, value: number, unit: string, more: Partial<Figure> = {}): Figure => ({
    ...{ name: `${name} tasks: ${what}`, value, unit, better: 'lower' },
    ...more,
  });
  return [
    lower('open', found.open, 'ms', { note: `${(bytes / 1e6).toFixed(0)} MB of records, two attempts a task` }),
    lower('60 rows at any place', found.screen, 'ms'),
    lower('order by success rate', found.sort, 'ms', large ? { budget: 300 } : {}),
    lower('filter by epoch, rate and status', found.filter, 'ms', large ? { budget: 300 } : {}),
    lower('exclude up to 100,000', found.exclude, 'ms'),
    lower('order by length, the first time', found.scan, 'ms', { note: 'reads every record once' }),
    lower('order by id, the first time', found.name, 'ms'),
    lower('find a text in what is left', found.search, 'ms', { note: 'reads every record' }),
    lower('longest hold of the thread', found.held, 'ms', large ? { budget: 50 } : {}),
    lower('more memory', found.memory / 1e6, 'MB', { note: 'the indexes of tasks and attempts included' }),
  ];
}

async function write(writer: RunWriter, size: number): Promise<void> {
  for (let from = 0; from < size; from += batch) {
    const tasks = Array.from({ length: Math.min(batch, size - from) }, (_, i) => sampleTask(from + i));
    await writer.appendTasks(tasks);
    await writer.appendTraces(
      tasks.flatMap((task, i) => [0, 1].map((attempt) => sampleAttempt(task, from + i, attempt))),
    );
  }
}

/** About 2 kB: 200 tokens of which half were generated, logprobs to six decimals as the loop records them. */
function sampleTask(index: number): Task {
  const epoch = 1 + Math.floor(index / perEpoch);
  const family = `e${epoch}.f${(index % perEpoch) >> 2}`;
  const text = `MENU increase f3 REQ first increase apple n${index % 10} `.repeat(2 + (index % 5));
  return {
    v: 1,
    id: `${family}.v${index & 3}`,
    family,
    epoch,
    origin: 'generated',
    seed: `base.${index % 544}`,
    status: index % 9 === 0 ? 'rejected' : 'accepted',
    ...(index % 9 === 0 ? { cause: 'gold' as const } : {}),
    prompt: [{ role: 'user', content: text }],
    evaluation: { kind: 'storekeeper' },
    gold: `first increase f3 apple n${index % 10}`,
    complexity: { steps: 1 },
    plan: 'steps 1',
    generation: {
      version: `environment@${epoch - 1}`,
      tokens: Array.from({ length: 200 }, (_, i) => (index * 7 + i * 31) % 128),
      spans: [[100, 200]],
      logprobs: Array.from({ length: 100 }, (_, i) => -Math.round((((index + i * 17) % 997) / 331) * 1e6) / 1e6),
      text,
    },
  };
}

function sampleAttempt(task: Task, index: number, attempt: number): Trace {
  const success = (index * 2_654_435_761 + attempt) % 7 < 3;
  return {
    v: 1,
    id: `e${task.epoch}/${task.id}/r${attempt}`,
    purpose: 'train',
    task: task.id,
    family: task.family,
    epoch: task.epoch,
    version: `agent@${task.epoch - 1}`,
    messages: [{ role: 'assistant', content: 'first increase f3 apple' }],
    sequences: [],
    stopReason: 'stop',
    verdict: { success, reward: success ? 1 : 0, valid: true },
  };
}
