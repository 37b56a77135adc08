/** A run of very many short traces, written as a run writes them, opened and read in places by another process. */
import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import type { Figure } from '../figure.ts';
import { watched } from './watched.ts';

const batch = 1024;
const perEpoch = 20_000;
const group = 8;

const openedSchema = z.object({
  told: z.object({ traces: z.number(), opened: z.number(), page: z.number(), byId: z.number() }),
  held: z.number(),
  memory: z.number(),
});

/** About 450 bytes: ten sampled tokens after a prompt of ten. */
function shortTrace(index: number): Trace {
  const epoch = 1 + Math.floor(index / perEpoch);
  const task = `e${epoch}.f${Math.floor((index % perEpoch) / group)}.v0`;
  const tokens = Array.from({ length: 20 }, (_, i) => (index * 7 + i * 31) % 128);
  const logprobs = tokens.slice(10).map((token) => -token / 128);
  const success = (index * 2_654_435_761) % 7 < 3;
  return {
    ...{ v: 1, id: `e${epoch}/${task}/r${index % group}`, purpose: 'train', task, family: task.slice(0, -3), epoch },
    ...{
      version: `agent@${epoch}`,
      messages: [{ role: 'assistant', content: 'first increase', tokens: tokens.slice(10) }],
    },
    sequences: [{ tokens, spans: [[10, 20]], logprobs }],
    ...{ stopReason: 'stop', verdict: { success, reward: success ? 1 : 0, valid: true } },
  };
}

export async function benchManyTraces(root: string, count: number): Promise<Figure[]> {
  const experiment = resolveExperiment({ version: 1, name: 'bench', preset: 'embedded', mode: 'coevolve', seed: 1 });
  const store = new RunStore(root, { clock: { now: () => Date.now() }, log: console, version: 'bench' });
  const writer = await store.create({ experiment });
  const begin = performance.now();
  const written = await watched(async () => {
    for (let from = 0; from < count; from += batch) {
      await writer.appendTraces(Array.from({ length: Math.min(batch, count - from) }, (_, i) => shortTrace(from + i)));
    }
    await writer.close();
  });
  const seconds = (performance.now() - begin) / 1000;
  const { size } = await stat(join(writer.dir, 'traces.jsonl'));
  const index = await stat(join(writer.dir, 'index/traces.bin'));
  const script = fileURLToPath(new URL('openRange.ts', import.meta.url));
  const open = async (): Promise<z.infer<typeof openedSchema>> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, root]);
    return openedSchema.parse(JSON.parse(stdout));
  };
  const opened = await open();
  await rm(join(writer.dir, 'index'), { recursive: true });
  const rebuilt = await open();
  await rm(writer.dir, { recursive: true });
  const name = `${count.toLocaleString('en')} traces`;
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  return [
    {
      ...{ name: `${name}: written`, value: count / seconds, unit: 'traces/s' },
      note: `${megabytes(size)}, index ${megabytes(index.size)}; memory more by ${written.quarters.map(megabytes).join(', ')} after each quarter; thread held for ${written.held.toFixed(0)} ms at the longest`,
    },
    {
      ...{ name: `${name}: opened`, value: opened.told.opened, unit: 's', better: 'lower' },
      note: `${megabytes(opened.memory)} more memory, thread held for ${opened.held.toFixed(0)} ms at the longest`,
    },
    {
      ...{ name: `${name}: 60 at any place`, value: opened.told.page, unit: 'ms', better: 'lower' },
      note: `one by its id ${opened.told.byId.toFixed(1)} ms`,
    },
    {
      ...{ name: `${name}: opened without its index`, value: rebuilt.told.opened, unit: 's', better: 'lower' },
      note: `made anew and kept; ${megabytes(rebuilt.memory)} more memory, thread held for ${rebuilt.held.toFixed(0)} ms`,
    },
  ];
}
