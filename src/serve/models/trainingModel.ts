/** One model that a client trains: its own worker, started with the first request that needs it. */
import { unflatten } from '../../endpoints/embedded/protocol.ts';
import { readWeights, writeWeights } from '../../endpoints/embedded/model/weights.ts';
import { expect, type WorkerClient } from '../../endpoints/embedded/workerClient.ts';
import type { TrainRequest, TrainResult } from '../../endpoints/tinker/wire/training.ts';
import type { AdamParams } from '../../engine/ports.ts';
import { ownAdam, type Difference } from '../differences.ts';
import type { LoraShape } from '../state/archive.ts';
import { averaged } from './averaged.ts';
import type { BaseModel } from './baseModel.ts';
import { batchOf, type Batch } from './datum.ts';
import { lossSum } from './lossSum.ts';
import { Sequencer } from './sequencer.ts';

export interface ModelFacts {
  id: string;
  sessionId: string;
  lora: LoraShape;
  userMetadata: Readonly<Record<string, string>> | null;
}

export class TrainingModel {
  readonly base: BaseModel;
  readonly facts: ModelFacts;
  /** Numbered requests go through it; it calls the methods below. */
  readonly sequencer = new Sequencer();
  /** ISO 8601. */
  lastRequest: string;
  #weights: Uint8Array;
  readonly #differences: readonly Difference[];
  #client: Promise<WorkerClient> | null = null;
  #closed = false;
  /** Where passes are merged: the loss of the first since the last step. */
  #first: Pick<TrainRequest, 'loss' | 'config'> | null = null;
  /** Where a step averages: the batches since the last one. */
  #held: Batch[] = [];

  constructor(base: BaseModel, facts: ModelFacts, now: string, differences: readonly Difference[]) {
    this.base = base;
    this.facts = facts;
    this.lastRequest = now;
    this.#weights = base.weights;
    this.#differences = differences;
  }

  /** Whether nothing was computed yet. */
  get fresh(): boolean {
    return this.#client === null;
  }

  /**
   * Continues from a checkpoint; without the optimiser's state its moments start at zero. Only before anything else.
   */
  load(checkpoint: Uint8Array, optimizer: boolean): void {
    const state = readWeights(checkpoint, 'The checkpoint');
    this.#weights = optimizer ? checkpoint : writeWeights({ ...state, steps: 0, moments: null }, 'f32');
  }

  /** @throws RequestFault, EmbeddedError */
  async forwardBackward(asked: TrainRequest): Promise<TrainResult> {
    this.#first ??= asked;
    const { loss: first, config } = this.#first;
    const request = this.#differs('merging') ? { ...asked, loss: first, config } : asked;
    if (this.#differs('mean')) {
      const { logprobs } = await this.forward(request);
      this.#held.push(batchOf(request, this.base));
      return { logprobs, metrics: {} };
    }
    const { loss, sequences, arrays } = batchOf(request, this.base);
    const client = await this.#worker();
    const call = { type: 'accumulate', sequences, loss, ...arrays } as const;
    const { loss: sum, logprobs } = expect(await client.call(call).answer, 'accumulated');
    return { logprobs: cut(logprobs, sequences.offsets), metrics: { 'loss:sum': sum } };
  }

  /** The same numbers without a gradient. @throws RequestFault, EmbeddedError */
  async forward(request: TrainRequest): Promise<TrainResult> {
    const { loss, sequences, arrays } = batchOf(request, this.base);
    const client = await this.#worker();
    const version = 'forward';
    expect(await client.call({ type: 'publish', name: version }).answer, 'done');
    const { values: logprobs } = expect(await client.call({ type: 'score', version, sequences }).answer, 'scored');
    return { logprobs: cut(logprobs, sequences.offsets), metrics: { 'loss:sum': lossSum(loss, logprobs, arrays) } };
  }

  /** @throws EmbeddedError */
  async step(asked: AdamParams): Promise<{ gradNorm: number }> {
    const client = await this.#worker();
    for (const { loss, sequences, arrays } of averaged(this.#held)) {
      expect(await client.call({ type: 'accumulate', sequences, loss, ...arrays }).answer, 'accumulated');
    }
    this.#held = [];
    this.#first = null;
    const adam = this.#differs('fixed-adam') ? { ...ownAdam, learningRate: asked.learningRate } : asked;
    const { gradNorm } = expect(await client.call({ type: 'step', adam }).answer, 'stepped');
    return { gradNorm };
  }

  /** The state as a file: with the optimiser's moments to train on from, without to sample from. */
  async export(moments: boolean): Promise<Uint8Array> {
    const client = await this.#worker();
    return expect(await client.call({ type: 'export', moments }).answer, 'exported').weights;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => null);
    await client?.stop();
  }

  #differs(difference: Difference): boolean {
    return this.#differences.includes(difference);
  }

  #worker(): Promise<WorkerClient> {
    if (this.#closed) return Promise.reject(new Error('The model was unloaded.'));
    this.#client ??= this.base.start(this.#weights);
    return this.#client;
  }
}

/** Per datum its targets' values: those of its tokens but the first. */
const cut = (values: Float32Array, offsets: Int32Array): number[][] =>
  unflatten(values, offsets).map((list) => list.slice(1));
