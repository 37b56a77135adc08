/**
 * A process: `genenv serve` whose models compute nothing. Answers take log-normal times, drawn by the number of the answer, on so
 * many slots; others wait for one and are not refused. Gradients take a time a datum. Busy slots are counted over time.
 */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { embeddedAssets } from '../../../src/endpoints/embedded/assets.ts';
import type { TrainRequest, TrainResult } from '../../../src/endpoints/tinker/wire/training.ts';
import {
  SamplingModel,
  type SampleAnswer,
  type Sampled,
  type SampleJob,
} from '../../../src/serve/models/samplingModel.ts';
import { TrainingModel } from '../../../src/serve/models/trainingModel.ts';
import { startServer } from '../../../src/serve/server.ts';
import { drawn } from './drawn.ts';
import { Slots } from './slots.ts';

const settings = z
  .object({ dist: z.string(), state: z.string(), slots: z.number(), median: z.number(), datum: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''));
const slots = new Slots(settings.slots);
let updated = 0;
const counts = { answers: 0, scored: 0, data: 0, updates: 0 };

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

async function answer({ maxTokens }: SampleJob): Promise<Sampled> {
  const { milliseconds, right } = drawn(counts.answers++, settings.median);
  await slots.use(() => wait(milliseconds));
  // Words of the shipped vocabulary; the last ends the answer.
  const length = Math.max(1, Math.min(maxTokens, Math.round((8 * milliseconds) / settings.median)) - 1);
  const tokens = [...Array.from({ length }, () => (right ? 43 : 42)), 0];
  return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' };
}

/** Scoring is a forward pass over what is there: a third of a gradient's time, in no slot. */
async function score({ prompt }: SampleJob): Promise<SampleAnswer> {
  counts.scored += 1;
  await wait(settings.datum / 3);
  const sequences: Sampled[] = [{ tokens: [0], logprobs: [-1], stopReason: 'stop' }];
  return { sequences, promptLogprobs: prompt.map((_, i) => (i === 0 ? null : -1)) };
}

SamplingModel.prototype.sample = async (job: SampleJob): Promise<SampleAnswer> => {
  if (job.promptLogprobs) return score(job);
  const sequences = await Promise.all(Array.from({ length: job.samples }, () => answer(job)));
  return { sequences, promptLogprobs: null };
};

const result = ({ data }: TrainRequest): TrainResult => ({
  logprobs: data.map(({ tokens }) => tokens.map(() => -1)),
  metrics: { 'loss:sum': 0 },
});
TrainingModel.prototype.forward = (request) => Promise.resolve(result(request));
TrainingModel.prototype.forwardBackward = async (request) => {
  counts.data += request.data.length;
  await wait(request.data.length * settings.datum);
  return result(request);
};
TrainingModel.prototype.step = () => {
  counts.updates += 1;
  updated = performance.now();
  return Promise.resolve({ gradNorm: 1 });
};
TrainingModel.prototype.export = function (this: TrainingModel) {
  return Promise.resolve(this.base.weights);
};

const { worker, kernels, weights } = embeddedAssets(new URL(settings.dist));
const server = await startServer({
  models: {
    ...{ worker, kernels: await readFile(kernels) },
    weights: { agent: await readFile(weights.agent), environment: await readFile(weights.environment) },
  },
  ...{ host: '127.0.0.1', port: 0, state: settings.state, key: null, longestQueue: Infinity },
});
process.on('message', () => process.send?.({ ...counts, ...slots.told, updated }));
process.send?.({ url: server.url });
