/**
 * Scheduling over real HTTP: an endpoint of fixed latency with 256 places, asked through the scheduler, through a pool of
 * fixed size that knows the places, and all at once.
 */
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { NodeHttpClient } from '../../src/endpoints/http/nodeHttpClient.ts';
import { sendForJson } from '../../src/endpoints/http/json.ts';
import { AdaptiveScheduler } from '../../src/endpoints/schedule/adaptiveScheduler.ts';
import type { Figure } from './figure.ts';

/** Short for an answer of a language model. */
const latency = 500;
const places = 256;
const waves = 16;
const requests = waves * places;
const answer = z.object({ tokens: z.array(z.number()), logprobs: z.array(z.number()) });
const body = { prompt: Array.from({ length: 200 }, (_, i) => i * 31) };

type Ask = () => Promise<unknown>;

/** Share of the ideal throughput, in percent. */
async function share(run: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await run();
  return (100 * waves * latency) / (performance.now() - begin);
}

async function scheduled(scheduler: AdaptiveScheduler, ask: Ask): Promise<void> {
  const items = Array.from({ length: requests }, (_, i) => i);
  let answers = 0;
  for await (const given of scheduler.each('attempt', items, ask, new AbortController().signal)) {
    if (given !== null) answers += 1;
  }
  if (answers !== requests) throw new Error(`${answers} of ${requests} answers came.`);
}

async function pooled(ask: Ask): Promise<void> {
  let left = requests;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await ask();
    }
  };
  await Promise.all(Array.from({ length: places }, work));
}

async function allAtOnce(ask: Ask): Promise<void> {
  await Promise.all(Array.from({ length: requests }, ask));
}

/** Figures of every way to ask the same endpoint. */
export async function benchEndpoints(): Promise<Figure[]> {
  const worker = new Worker(new URL('./endpoint/server.ts', import.meta.url), { workerData: { latency, places } });
  const address: unknown = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  const url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(address).port}`;
  let refusals = 0;
  const asking = async (use: (ask: Ask) => Promise<number>, scheduler?: AdaptiveScheduler) => {
    const client = new NodeHttpClient({
      url,
      sockets: 2048,
      onTrouble: ({ refused, began }) => {
        if (!refused) return;
        refusals += 1;
        scheduler?.refused(0, began);
      },
    });
    const ask = () => sendForJson(client, { method: 'POST', path: '/sample', body }, answer);
    try {
      // Connections are made once a run, not once a request.
      await Promise.all(Array.from({ length: places }, ask));
      refusals = 0;
      return await use(ask);
    } finally {
      client.close();
    }
  };
  try {
    const known = new AdaptiveScheduler({ limit: places });
    const figures: Figure[] = [];
    const add = async (
      name: string,
      run: (ask: Ask) => Promise<void>,
      scheduler?: AdaptiveScheduler,
      budget?: number,
    ) => {
      const value = await asking((ask) => share(() => run(ask)), scheduler);
      const room = scheduler === undefined ? '' : `, room ${scheduler.load.room} at the end`;
      figures.push({
        name,
        value,
        unit: '%',
        ...(budget === undefined ? {} : { budget }),
        note: `${requests} requests, ${refusals} refusals${room}`,
      });
    };
    await add('scheduler, limit 256, from its first request', (ask) => scheduled(known, ask), known);
    await add('scheduler, limit 256, grown', (ask) => scheduled(known, ask), known, 97);
    const unknown = new AdaptiveScheduler();
    await add('scheduler, limit unknown, from its first request', (ask) => scheduled(unknown, ask), unknown);
    await add('scheduler, limit unknown, grown', (ask) => scheduled(unknown, ask), unknown);
    await add('pool of 256', pooled);
    await add('Promise.all of everything', allAtOnce);
    return figures;
  } finally {
    await worker.terminate();
  }
}
