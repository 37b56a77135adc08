/**
 * One base model's worker for sampling and scoring, shared by all frozen weights of that shape. Jobs that wait for the
 * same weights are decoded together: no completion's bits depend on its neighbours, so batching is free to be greedy.
 */
import { EmbeddedError } from '../../endpoints/embedded/errors.ts';
import { type Completions, flatten, unflatten } from '../../endpoints/embedded/protocol.ts';
import { expect, type WorkerClient } from '../../endpoints/embedded/workerClient.ts';
import type { BaseModel } from './baseModel.ts';

/** Frozen weights, under a name of their own. */
export interface FrozenWeights {
  key: string;
  /** Read when the worker does not hold them. */
  load(): Promise<Uint8Array>;
}

export interface SampleJob {
  weights: FrozenWeights;
  prompt: readonly number[];
  samples: number;
  seed: number;
  /** 0 only scores the prompt. */
  maxTokens: number;
  temperature: number;
  /** Logprobs of the sampling distribution instead of the model's own. */
  tempered: boolean;
  promptLogprobs: boolean;
}

export interface Sampled {
  tokens: readonly number[];
  logprobs: readonly number[];
  stopReason: 'stop' | 'length';
}

export interface SampleAnswer {
  sequences: readonly Sampled[];
  /** The first token has none. */
  promptLogprobs: readonly (number | null)[] | null;
}

interface Waiting {
  job: SampleJob;
  resolve: (answer: SampleAnswer) => void;
  reject: (error: unknown) => void;
  cancelled: boolean;
  sequences: Sampled[];
  promptLogprobs: (number | null)[] | null;
}

/** Completions of one batch: enough to fill the worker's 128 slots a few times, short enough for others to get a turn. */
const batchLimit = 512;

export class SamplingModel {
  readonly #base: BaseModel;
  #queue: Waiting[] = [];
  #running: Waiting[] = [];
  #client: Promise<WorkerClient> | null = null;
  #busy = false;
  #closed = false;

  constructor(base: BaseModel) {
    this.#base = base;
  }

  /** Completions that wait, and that are being decoded. */
  get load(): { waiting: number; running: number } {
    const count = (list: readonly Waiting[]): number =>
      list.reduce((sum, { job }) => sum + Math.max(1, job.samples), 0);
    return { waiting: count(this.#queue), running: count(this.#running) };
  }

  /** An abort removes a queued job; decoding in progress continues. */
  sample(job: SampleJob, signal?: AbortSignal): Promise<SampleAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<SampleAnswer>();
    const waiting: Waiting = { job, resolve, reject, cancelled: false, sequences: [], promptLogprobs: null };
    signal?.addEventListener('abort', () => {
      waiting.cancelled = true;
      reject(signal.reason);
    });
    this.#queue.push(waiting);
    void this.#drain();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => null);
    await client?.stop();
  }

  async #drain(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#queue.length > 0) {
      this.#running = this.#take();
      try {
        await this.#answer(this.#running);
        for (const { resolve, sequences, promptLogprobs } of this.#running) resolve({ sequences, promptLogprobs });
      } catch (error) {
        // The next job starts a dead worker again.
        if (error instanceof EmbeddedError && error.reason === 'worker') this.#client = null;
        for (const { reject } of this.#running) reject(error);
      }
      this.#running = [];
    }
    this.#busy = false;
  }

  /** The oldest job, and others that wait for the same weights. */
  #take(): Waiting[] {
    this.#queue = this.#queue.filter(({ cancelled }) => !cancelled);
    const key = this.#queue[0]?.job.weights.key;
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    let size = 0;
    for (const waiting of this.#queue) {
      const fits = taken.length === 0 || size + waiting.job.samples <= batchLimit;
      if (waiting.job.weights.key === key && fits) {
        taken.push(waiting);
        size += waiting.job.samples;
      } else left.push(waiting);
    }
    this.#queue = left;
    return taken;
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const { weights } = first.job;
    const client = await this.#worker();
    const run = async (): Promise<void> => {
      await this.#score(client, weights.key, batch);
      await this.#decode(client, weights.key, batch);
    };
    try {
      await run();
    } catch (error) {
      if (!(error instanceof EmbeddedError && error.reason === 'version')) throw error;
      const file = await weights.load();
      expect(await client.call({ type: 'adopt', name: weights.key, weights: file }).answer, 'done');
      await run();
    }
  }

  async #score(client: WorkerClient, version: string, batch: readonly Waiting[]): Promise<void> {
    const scored = batch.filter(({ job }) => job.promptLogprobs);
    if (scored.length === 0) return;
    const sequences = flatten(scored.map(({ job }) => job.prompt));
    const { answer } = client.call({ type: 'score', version, sequences });
    const { values: logprobs } = expect(await answer, 'scored');
    unflatten(logprobs, sequences.offsets).forEach((values, i) => {
      const waiting = scored[i];
      if (waiting !== undefined) waiting.promptLogprobs = [null, ...values.slice(1)];
    });
  }

  async #decode(client: WorkerClient, version: string, batch: readonly Waiting[]): Promise<void> {
    const sampled = batch.filter(({ job }) => job.maxTokens > 0);
    if (sampled.length === 0) return;
    for (const waiting of sampled) waiting.sequences = [];
    const requests = sampled.map(({ job: { prompt, samples, seed, maxTokens, temperature, tempered } }) => ({
      prompt,
      indices: Array.from({ length: samples }, (_, i) => i),
      seed,
      maxTokens,
      temperature,
      tempered,
    }));
    const onCompletions = (completions: Completions): void => deal(completions, sampled);
    await client.call({ type: 'sample', version, requests }, { onCompletions }).answer;
  }

  #worker(): Promise<WorkerClient> {
    if (this.#closed) return Promise.reject(new EmbeddedError('worker', 'The server is closing.'));
    this.#client ??= this.#base.start(this.#base.weights).catch((error: unknown) => {
      this.#client = null;
      throw error;
    });
    return this.#client;
  }
}

/** Delivers completions to their jobs, which end with the last one: they come in request order, and then by index. */
function deal({ requests, stopped, sequences, logprobs }: Completions, waiting: readonly Waiting[]): void {
  const tokens = unflatten(sequences.tokens, sequences.offsets);
  const values = unflatten(logprobs, sequences.offsets);
  requests.forEach((request, i) => {
    const entry = waiting[request];
    if (entry === undefined) return;
    const stopReason = stopped[i] === 1 ? 'stop' : 'length';
    entry.sequences.push({ tokens: tokens[i] ?? [], logprobs: values[i] ?? [], stopReason });
    if (entry.sequences.length === entry.job.samples) entry.resolve(entry);
  });
}
