/** The cost of a folder's runner: its start, the time between two runs, the windows that observe it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { queueEventSchema, type QueueEvent } from '../../src/features/runner/contract.ts';
import { limitsOf } from '../../src/features/runner/core/limits.ts';
import { beginRunner } from '../../src/features/runner/node/beginRunner.ts';
import { GrantedKeys } from '../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../src/features/runner/node/runner.ts';
import { runnerInbox, runnerPaths } from '../../src/features/runner/node/runnerFiles.ts';
import { environmentKeys } from '../../src/launch/access/keys.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import type { Figure } from './figure.ts';
import { processorSeconds } from './processorSeconds.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const child = fileURLToPath(new URL('runner/child.mjs', import.meta.url));
const looker = fileURLToPath(new URL('runner/looker.ts', import.meta.url));
const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const [starts, runs, windows, seconds] = [9, 40, 4, 6];

export async function benchRunner(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-bench-runner-'));
  try {
    const between = await betweenRuns(join(folder, 'between'));
    const cost = await attached(join(folder, 'attached'));
    return [
      {
        ...{ name: 'start of the runner', value: await startTime(folder), unit: 'ms', budget: 300, better: 'lower' },
        note: 'from the editor’s order until it holds the folder; least of 9, as other programs lengthen the others',
      },
      {
        ...{ name: 'between two runs', value: between, unit: 'ms', budget: 50, better: 'lower' },
        note: 'from the word of one that it is done to the start of the next; median',
      },
      {
        ...{
          name: `${windows} windows, cost to the runner`,
          value: cost.runner,
          unit: '%',
          budget: 1,
          better: 'lower',
        },
        note: 'processor time more than without them',
      },
      {
        ...{ name: 'a window, cost to itself', value: cost.window, unit: '%', budget: 1, better: 'lower' },
        note: 'processor time of looking on while a run goes',
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function startTime(folder: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < starts; i++) {
    const root = join(folder, `start-${i}`);
    // It stays until the run's process has said that there is no such run.
    await runnerInbox(root, { clock, log }).post({ type: 'add', work: [work('a', ['http://x:1'])], author: '' });
    const began = performance.now();
    await beginRunner({
      ...{ root, clock, grants: [], env: process.env },
      command: [process.execPath, join(dist, 'runner.cjs'), root, dist, 'bench'],
    });
    times.push(performance.now() - began);
    await runnerInbox(root, { clock, log }).post({ type: 'stop', author: '' });
  }
  return Math.min(...times);
}

const work = (run: string, addresses: string[]) => ({
  ...{ run, name: run, addresses, priority: 0, after: [], retries: 0, author: 'bench' },
  ...{ study: null, copies: null, member: null, rest: null },
});

async function betweenRuns(root: string): Promise<number> {
  const said = join(root, 'said');
  const all = Array.from({ length: runs }, (_, i) => work(`run-${i}`, ['http://x:1']));
  await runnerInbox(root, { clock, log }).post({ type: 'add', work: all, author: '' });
  const done = new AbortController();
  await execute(root, [process.execPath, child, 'end', said], done.signal, true);
  const ends = new Map(
    (await readFile(said, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([run = '', at = '']) => [run, Number(at)]),
  );
  const events = await journal(root);
  const gaps = events.flatMap((event, i) => {
    const ended = ends.get(event.type === 'ended' ? event.run : '');
    const next = events.slice(i).find(({ type }) => type === 'started');
    return ended === undefined || next === undefined ? [] : [next.at - ended];
  });
  if (gaps.length !== runs - 1) throw new Error(`${gaps.length} of ${runs} runs were followed by another.`);
  return median(gaps);
}

const journal = async (root: string): Promise<QueueEvent[]> =>
  (await readFile(runnerPaths(root).queue, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => queueEventSchema.parse(JSON.parse(line)));

const execute = (root: string, command: readonly string[], signal: AbortSignal, untilEmpty: boolean) =>
  executeQueue({
    ...{ clock, log, signal, untilEmpty, command },
    store: new RunStore(root, { clock, log, version: 'bench' }),
    keys: new GrantedKeys(environmentKeys({})),
    limits: limitsOf(new Map(), 2, null),
  });

/** Shares of one core, in percent. */
async function attached(root: string): Promise<{ runner: number; window: number }> {
  await runnerInbox(root, { clock, log }).post({ type: 'add', work: [work('a', ['http://x:1'])], author: '' });
  const stop = new AbortController();
  const going = execute(root, [process.execPath, child, 'stay', ''], stop.signal, false);
  await sleep(1500);
  const alone = await during(() => sleep(1000 * seconds));
  const words = [looker, root, String(windows), String(seconds)];
  let printed = '';
  const watched = await during(async () => {
    printed = (await promisify(execFile)(process.execPath, words)).stdout;
  });
  stop.abort();
  await going;
  return {
    runner: Math.max(0, 100 * (watched - alone)),
    window: (100 * Number(printed)) / windows / seconds,
  };
}

/** Processor seconds of this thread a second. */
async function during(work: () => Promise<unknown>): Promise<number> {
  const [began, before] = [performance.now(), processorSeconds()];
  await work();
  return ((processorSeconds() - before) / (performance.now() - began)) * 1000;
}
