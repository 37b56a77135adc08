/** The limits of size: very many attempts at once, very long contexts and episodes, very many traces. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Figure } from './figure.ts';
import { benchManyTraces } from './scale/manyTraces.ts';

const script = (name: string): string => fileURLToPath(new URL(`scale/${name}`, import.meta.url));

const watchedSchema = z.object({ held: z.number(), memory: z.number(), quarters: z.array(z.number()) });
const tookSchema = z.object({
  seconds: z.number(),
  took: watchedSchema,
  opened: watchedSchema.extend({
    told: z.object({ traces: z.int(), turns: z.int(), milliseconds: z.number() }),
  }),
});

interface Case {
  name: string;
  replicas: number;
  /** Tokens of the prompt and of an answer, as the servers tell them. */
  prompt: number;
  answer: number;
  /** Milliseconds of an answer, evenly spread. */
  least: number;
  most: number;
  /** At one address. */
  inFlight: number;
  attempts: number;
  turns: number;
}

const cases: Case[] = [
  {
    ...{ name: '10,000 attempts in flight', replicas: 4, prompt: 200, answer: 200, least: 15_000, most: 45_000 },
    ...{ inFlight: 2500, attempts: 40_000, turns: 1 },
  },
  {
    ...{ name: 'contexts of 128,000 tokens', replicas: 1, prompt: 128_000, answer: 1000, least: 500, most: 1500 },
    ...{ inFlight: 32, attempts: 256, turns: 1 },
  },
  {
    ...{ name: 'episodes of 200 turns', replicas: 1, prompt: 4000, answer: 100, least: 20, most: 60 },
    ...{ inFlight: 64, attempts: 128, turns: 200 },
  },
];

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Needs 8 GB for temporary files, and half an hour at most. @param part how the names of what is measured begin */
export async function benchScale(part: string): Promise<Figure[]> {
  const parts = [
    ...cases.map((one) => ({ name: one.name, measure: (root: string) => benchCase(root, one) })),
    ...[1_000_000, 10_000_000].map((count) => ({
      name: `${count.toLocaleString('en')} traces`,
      measure: (root: string) => benchManyTraces(root, count),
    })),
  ];
  const figures: Figure[] = [];
  for (const { name, measure } of parts) if (name.startsWith(part)) figures.push(...(await inFolder(measure)));
  return figures;
}

async function benchCase(root: string, one: Case): Promise<Figure[]> {
  const { name, replicas, prompt, answer, least, most, inFlight, attempts, turns } = one;
  const numbers = [replicas, prompt, answer, least, most].map(String);
  const servers = spawn(process.execPath, [script('replicas.ts'), ...numbers], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [urls = ''] = await firstLine(servers.stdout);
    const args = [root, urls, ...[inFlight, attempts, turns].map(String)];
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script('attempts.ts'), ...args]);
    const { seconds, took, opened } = tookSchema.parse(JSON.parse(stdout));
    const asked = await fetch(`${urls.split(' ')[0]}/most`);
    const { most: top } = z.object({ most: z.int() }).parse(await asked.json());
    const places = Math.min(inFlight * replicas, attempts);
    const ideal = (attempts * turns * (least + most)) / 2 / places / 1000;
    return [
      {
        ...{ name: `${name}: share of the ideal throughput`, value: (100 * ideal) / seconds, unit: '%' },
        note: `${attempts.toLocaleString('en')} in ${seconds.toFixed(0)} s, ${top.toLocaleString('en')} at once at the most`,
      },
      {
        ...{ name: `${name}: thread held at the longest`, value: took.held, unit: 'ms', better: 'lower' },
        note: 'processor time between two turns of the loop',
      },
      {
        ...{ name: `${name}: more memory`, value: took.memory / 1e6, unit: 'MB', better: 'lower' },
        note: `after each quarter of the time ${took.quarters.map(megabytes).join(', ')}`,
      },
      {
        ...{ name: `${name}: a trace opened`, value: opened.told.milliseconds, unit: 'ms', better: 'lower' },
        note: `of ${opened.told.turns} turns; thread held for ${opened.held.toFixed(0)} ms at the longest`,
      },
    ];
  } finally {
    servers.kill();
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string[]> {
  for await (const line of createInterface({ input: stream })) return [line];
  return [];
}

async function inFolder(bench: (root: string) => Promise<Figure[]>): Promise<Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'genenv-bench-scale-'));
  try {
    return await bench(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
