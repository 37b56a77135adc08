/**
 * One training model on a server. Its requests carry numbers and run in that order whatever the order of arrival (§12);
 * the next is sent when the server has the one before, long before that is done.
 */
import * as l10n from '@vscode/l10n';
import type { AdamParams, Datum, Loss, TrainMetrics } from '../../engine/ports.ts';
import { toWire, type WireDatum } from '../../shared/tinker/datum.ts';
import { EndpointError } from '../endpointError.ts';
import { MalformedAnswer, type HttpAnswer } from '../http/httpClient.ts';
import { jsonOf } from '../http/json.ts';
import { balanced } from './balanced.ts';
import type { Body, Connection, Submitted } from './connection.ts';
import { asSpecified, type TrainingSemantics } from './trainingSemantics.ts';
import { fromWire, lossConfig, lossOf } from './shift.ts';
import { isConflict, savedBefore, type SaveCall } from './savedBefore.ts';
import { doneSchema, pathSchema, stepSchema } from './wire/replies.ts';
import { resultIn } from './wire/resultIn.ts';
import {
  decodeTrainResult,
  encodeTrainRequest,
  trainRequestJson,
  trainResultOf,
  trainResultSchema,
  type TrainRequest,
  type TrainResult,
} from './wire/training.ts';

/** A number as JSON, on the average. */
const bytesEach = 10;

export class TrainedModel {
  readonly id: string;
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #semantics: Pick<TrainingSemantics, 'reduction'>;
  #seq: number;
  /** The server has everything sent before. */
  #accepted: Promise<void> = Promise.resolve();
  #lastLoss: string | null = null;
  #lost = false;
  /** Where the server averages: what is accumulated has its numbers, so that a step comes after it. */
  #numbered: Promise<void> | null = null;

  /** @param seq the last number that is used up */
  constructor(
    connection: Connection,
    id: string,
    seq: number,
    signal: AbortSignal,
    semantics: Pick<TrainingSemantics, 'reduction'> = asSpecified,
  ) {
    this.#connection = connection;
    this.id = id;
    this.#seq = seq;
    this.#signal = signal;
    this.#semantics = semantics;
  }

  /** The last number that is used up. */
  get seq(): number {
    return this.#seq;
  }

  async accumulate(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    // Servers that merge what waits apply the first loss to all of it (§15): never two losses without a step between.
    if (this.#lastLoss !== null && this.#lastLoss !== loss.name) {
      throw new Error(l10n.t('Loss {0} after {1} without an optimiser step.', loss.name, this.#lastLoss));
    }
    if (this.#semantics.reduction === 'mean') return this.#accumulateBalanced(data, loss);
    this.#lastLoss = loss.name;
    return this.pass(data, loss);
  }

  /** One pass as the server makes it, whatever it did before. */
  async pass(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    const passed = await this.#passed('forward_backward', data, loss);
    const told = passed.map(({ metrics }) => lossIn(metrics));
    const logprobs = passed.flatMap((result) => result.logprobs).map(fromWire);
    return {
      loss: summed(data, loss, logprobs),
      told: told.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0),
      logprobs,
    };
  }

  /** Takes the model from the server's memory. */
  async unload(): Promise<void> {
    await this.#connection.submit(
      '/api/v1/unload_model',
      () => ({ body: { model_id: this.id, type: 'unload_model' } }),
      readDone,
      this.#signal,
    ).result;
  }

  /** L2 norm of the gradient where the server tells it, else null. */
  async step(adam: AdamParams): Promise<number | null> {
    const numbered = this.#numbered;
    this.#numbered = null;
    this.#lastLoss = null;
    if (numbered !== null) await numbered;
    const { learningRate, beta1, beta2, epsilon, weightDecay, gradClipNorm } = adam;
    const adam_params = {
      ...{ learning_rate: learningRate, beta1, beta2, eps: epsilon },
      ...{ weight_decay: weightDecay, grad_clip_norm: gradClipNorm },
    };
    const body = (seq_id: number): Body => ({
      body: { model_id: this.id, seq_id, adam_params, type: 'optim_step' },
    });
    const { metrics } = await this.#send('optim_step', body, (answer) => jsonOf(answer, stepSchema)).result;
    const norm = Object.entries(metrics ?? {}).find(([name]) => name.includes('grad_norm'));
    return norm?.[1] ?? null;
  }

  /** Weights and optimiser state under a name; gives its address. */
  save(name: string): Promise<string> {
    return this.#save('save_weights', name);
  }

  /** Weights to sample from. */
  publish(name: string): Promise<string> {
    return this.#save('save_weights_for_sampler', name);
  }

  /** Only as a model's first request (§7). */
  async load(path: string): Promise<void> {
    const body = (seq_id: number): Body => ({
      body: { model_id: this.id, seq_id, path, optimizer: true, type: 'load_weights' },
    });
    await this.#send('load_weights', body, readDone).result;
  }

  async #save(call: SaveCall, name: string): Promise<string> {
    // The number makes the name new for the model, and the same again when the request is repeated.
    const named = (seq: number): string => `${name.replaceAll(/[^A-Za-z0-9_-]/g, '-')}-${seq}`;
    const body = (seq_id: number): Body => ({
      body: { model_id: this.id, path: named(seq_id), seq_id, type: call },
    });
    const before = async (seq: number): Promise<{ path: string } | null> => {
      const path = await savedBefore(this.#connection, { model: this.id, call, name: named(seq) }, this.#signal);
      return path === null ? null : { path };
    };
    return (await this.#send(call, body, (answer) => jsonOf(answer, pathSchema), { before }).result).path;
  }

  /** A server that averages gets what makes its mean our sum: one batch a step, because its size is part of that. */
  async #accumulateBalanced(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    if (this.#numbered !== null) throw new Error(l10n.t('A server that averages takes one batch between two steps.'));
    const current = async (): Promise<number[][]> =>
      (await this.#passed('forward', data, loss)).flatMap(({ logprobs }) => logprobs).map(fromWire);
    const numbering = balanced(data, loss, current).then((asked) => ({ result: this.pass(asked.data, asked.loss) }));
    this.#numbered = numbering.then(
      () => undefined,
      () => undefined,
    );
    const { logprobs } = await (await numbering).result;
    return { loss: summed(data, loss, logprobs), told: null, logprobs };
  }

  #passed(call: 'forward_backward' | 'forward', data: readonly Datum[], loss: Loss): Promise<TrainResult[]> {
    const chunks = chunked(data.map(toWire), this.#connection.config.chunk);
    return Promise.all(chunks.map((chunk) => this.#passOne(call, chunk, loss)));
  }

  async #passOne(call: 'forward_backward' | 'forward', data: readonly WireDatum[], loss: Loss): Promise<TrainResult> {
    let taken = 0;
    const body = (seqId: number): Body => {
      taken = seqId;
      const what = { loss: loss.name, config: lossConfig(loss), forwardOnly: call === 'forward' };
      return this.#trainBody({ modelId: this.id, seqId, data, ...what });
    };
    const read = (answer: HttpAnswer): TrainResult => trainResultIn(answer, data);
    return this.#send(call, body, read, { remedy: noStep() }).result.catch((error: unknown) => {
      if (!wantsProtobuf(error) || this.#connection.protobuf) throw error;
      this.#connection.useProtobuf();
      // Refused for its form, so its number is still free; what came after it waits for it.
      return this.#submit(call, () => body(taken), read, noStep()).result;
    });
  }

  #trainBody(request: TrainRequest): Body {
    if (!this.#connection.protobuf) return { body: trainRequestJson(request) };
    return {
      body: Buffer.from(encodeTrainRequest(request)),
      headers: { 'content-type': 'application/x-protobuf' },
    };
  }

  /** Takes the next number at once, and sends when the server has what came before. */
  #send<T>(
    call: string,
    body: (seq: number) => Body,
    read: (answer: HttpAnswer) => T,
    { remedy, before }: { remedy?: string; before?: (seq: number) => Promise<T | null> } = {},
  ): { result: Promise<T> } {
    const seq = ++this.#seq;
    const sent = this.#accepted.then(() => this.#submit(call, () => body(seq), read, remedy));
    // A refusal arrives with its own result; later requests are sent all the same and refused for themselves.
    this.#accepted = sent.then((submitted) => submitted.accepted).catch(() => undefined);
    const result = sent
      .then((submitted) => submitted.result)
      .catch((error: unknown) => this.#settled(error, () => before?.(seq) ?? Promise.resolve(null)))
      .catch((error: unknown) => this.#noted(error));
    return { result };
  }

  /** The result of before, where the number or the name is used up; without one the model has gone another way than the run. */
  async #settled<T>(error: unknown, before: () => Promise<T | null>): Promise<T> {
    if (!isConflict(error)) throw error;
    const found = await before();
    if (found !== null) return found;
    const { endpoint, request, attempts, status } = error;
    throw new EndpointError('gone', l10n.t('the server has another request of this number or name'), {
      ...{ endpoint, request, attempts, cause: error, ...(status !== null && { status }) },
      remedy: l10n.t('Resume the run: a new model continues from its last checkpoint.'),
    });
  }

  /** A server may keep naming a model that it lost: a resumed run must not use that one again. */
  async #noted(error: unknown): Promise<never> {
    if (EndpointError.is(error, 'gone') && !this.#lost) {
      this.#lost = true;
      await this.#connection.ledger.add({ type: 'lost', id: this.id });
    }
    throw error;
  }

  #submit<T>(call: string, body: () => Body, read: (answer: HttpAnswer) => T, remedy?: string): Submitted<T> {
    const options = remedy === undefined ? {} : { remedy };
    return this.#connection.submit(`/api/v1/${call}`, body, read, this.#signal, options);
  }
}

/** Of a pass whose results stay useless. */
const noStep = (): string =>
  l10n.t('No step was made on it. Lower the learning rate if the model diverged; else look at the server.');

const readDone = (answer: HttpAnswer): unknown => jsonOf(answer, doneSchema);

/** @throws MalformedAnswer for what is no result of these sequences */
function trainResultIn(answer: HttpAnswer, data: readonly WireDatum[]): TrainResult {
  const result = resultIn(answer, { json: trainResultSchema, of: trainResultOf, decode: decodeTrainResult });
  const what = wrongResult(data, result.logprobs);
  if (what !== null) throw new MalformedAnswer(what);
  return result;
}

/** The reason why a result is unusable, in words; null when it is usable. */
function wrongResult(data: readonly WireDatum[], logprobs: readonly (readonly number[])[]): string | null {
  if (logprobs.length !== data.length) return l10n.t('{0} results for {1} sequences', logprobs.length, data.length);
  const wrong = data.findIndex(
    ({ tokens }, i) => logprobs[i]?.length !== tokens.length || logprobs[i].some((value) => !Number.isFinite(value)),
  );
  return wrong === -1
    ? null
    : l10n.t('sequence {0} of {1} came back without a number for every token', wrong, data.length);
}

/** The loss by servers' names (`loss:sum`, `total_loss:sum`); null where none is reported. */
function lossIn(metrics: TrainResult['metrics']): number | null {
  const entry = Object.entries(metrics).find(([name]) => /^(?:total_)?loss:sum$/.test(name));
  return entry?.[1] ?? null;
}

const summed = (data: readonly Datum[], loss: Loss, logprobs: readonly (readonly number[])[]): number =>
  data.reduce((sum, datum, i) => sum + lossOf(loss, datum, logprobs[i] ?? []), 0);

/** Pieces that are neither too many datums nor too many bytes. */
function chunked(data: readonly WireDatum[], limit: Connection['config']['chunk']): WireDatum[][] {
  const chunks: WireDatum[][] = [];
  let bytes = 0;
  for (const datum of data) {
    const size =
      (datum.tokens.length + Object.values(datum.inputs).reduce((sum, { length }) => sum + length, 0)) * bytesEach;
    const last = chunks.at(-1);
    if (last === undefined || last.length >= limit.datums || bytes + size > limit.bytes) {
      chunks.push([datum]);
      bytes = size;
    } else {
      last.push(datum);
      bytes += size;
    }
  }
  return chunks;
}

/** A server that no longer takes JSON for training (§11). */
const wantsProtobuf = (error: unknown): boolean =>
  EndpointError.is(error, 'refused') && [406, 415, 422].includes(error.status ?? 0);
