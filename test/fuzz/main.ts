/**
 * `npm run fuzz`: malformed input for every decoder, until each had its share of `--inputs` (default 1,000,000
 * in all). `--decoder NAME` tries one, `--seed N` makes other inputs, `--reproduce FILE` tries what was found once more.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { keepCorpus } from './corpus.ts';
import { isOurs } from './decoder.ts';
import { decoders } from './decoders.ts';
import type { Finding } from './fuzzer.ts';

const { values: given } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    decoder: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    reproduce: { type: 'string' },
  },
});

/** Seconds for one input, after which it is ended. */
const patience = 30;
const crashes = new URL('crashes/', import.meta.url);
const crashSchema = z.object({ decoder: z.string(), input: z.string(), what: z.string() });
const doneSchema = z.object({
  inputs: z.int(),
  blocks: z.int(),
  corpus: z.array(z.string()),
  findings: z.array(z.object({ input: z.string(), what: z.string() })),
});

if (given.reproduce !== undefined) {
  const { decoder, input } = crashSchema.parse(JSON.parse(await readFile(given.reproduce, 'utf8')));
  await reproduce(decoder, input);
} else await fuzzAll();

async function reproduce(name: string, input: string): Promise<void> {
  const began = performance.now();
  try {
    const value = await decoders[name]?.decode(input);
    console.log(`${name} reads it:`, value);
  } catch (error) {
    console.log(isOurs(error) ? `${name} refuses it in its own words:` : `${name} fails:`, error);
    if (!isOurs(error)) process.exitCode = 1;
  }
  console.log(`It took ${Math.round(performance.now() - began)} ms.`);
}

async function fuzzAll(): Promise<void> {
  const chosen = Object.entries(decoders).filter(([name]) => given.decoder?.includes(name) ?? true);
  const shares = chosen.reduce((sum, [, { share = 100 }]) => sum + share, 0);
  let all = 0;
  let found = 0;
  for (const [name, decoder] of chosen) {
    const inputs = Math.max(100, Math.ceil((Number(given.inputs) * (decoder.share ?? 100)) / shares));
    const began = performance.now();
    const { done, findings, tried } = await fuzz(name, inputs);
    all += tried;
    found += findings.length;
    if (done !== null) await keepCorpus(name, done.corpus, decoder.seeds);
    for (const finding of findings) await keepCrash(name, finding);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const reached = done === null ? 'ended early' : `${done.blocks} blocks, corpus of ${done.corpus.length}`;
    console.log(
      `${name.padEnd(18)} ${tried.toLocaleString('en')} inputs in ${seconds} s, ${reached}, ${findings.length} found`,
    );
  }
  console.log(`${all.toLocaleString('en')} inputs, ${found} found`);
  if (found > 0) process.exitCode = 1;
}

async function keepCrash(name: string, { input, what }: Finding): Promise<void> {
  await mkdir(crashes, { recursive: true });
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const file = new URL(`${name}-${hash}.json`, crashes);
  await writeFile(file, `${JSON.stringify({ decoder: name, input, what }, null, 2)}\n`);
  console.log(`  ${what.split('\n')[0] ?? ''}\n  npm run fuzz -- --reproduce ${fileURLToPath(file)}`);
}

interface Fuzzed {
  done: z.infer<typeof doneSchema> | null;
  findings: Finding[];
  tried: number;
}

function fuzz(name: string, inputs: number): Promise<Fuzzed> {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const current = new Uint8Array(new SharedArrayBuffer(2 ** 16));
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: { name, inputs, seed: Number(given.seed), counts, current },
    resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 16 },
  });
  return new Promise((resolve) => {
    let before = -1;
    const end = (fuzzed: Fuzzed): void => {
      clearInterval(watch);
      resolve(fuzzed);
    };
    const ended = (what: string): void => {
      void worker.terminate();
      const input = new TextDecoder().decode(Uint8Array.from(current.subarray(0, Atomics.load(counts, 1))));
      end({ done: null, findings: [{ input, what }], tried: Atomics.load(counts, 0) });
    };
    const watch = setInterval(() => {
      const now = Atomics.load(counts, 0);
      if (now === before) ended(`An input took longer than ${patience} s.`);
      before = now;
    }, patience * 1_000);
    worker.on('message', (told: unknown) => {
      const done = doneSchema.parse(told);
      end({ done, findings: done.findings, tried: done.inputs });
      void worker.terminate();
    });
    worker.on('error', (error: unknown) => ended(`The thread ended: ${String(error)}`));
  });
}
