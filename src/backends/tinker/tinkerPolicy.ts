/**
 * A policy on a Tinker server (the hosted service, SkyRL, `genenv serve`). Nothing is made there before it is needed: a
 * frozen policy never has a training model, and one that is carried on finds its model of before where that still lives.
 */
import type {
  AdamParams,
  Capabilities,
  CheckpointRef,
  Completion,
  Datum,
  FailedCompletion,
  Loss,
  PolicyVersion,
  SampleRequest,
  StepMetrics,
  TrainablePolicy,
  TrainMetrics,
} from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { TinkerEndpoint } from '../../shared/experiment/endpoint.ts';
import { EndpointError } from '../endpointError.ts';
import { failedCompletions } from '../failedCompletion.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Connection } from './connection.ts';
import type { ServerFacts } from './facts.ts';
import { baseHandle, isBase, Sampler } from './sampler.ts';
import { TrainedModel } from './trainedModel.ts';
import { modelInfoSchema, modelSchema, weightsInfoSchema } from './wire/replies.ts';

/** Context of a model whose server does not say it: what most of them have at least (§14). */
const usualContext = 32_768;

export interface TinkerPolicyParts {
  name: 'agent' | 'environment';
  endpoint: TinkerEndpoint;
  connection: Connection;
  scheduler: Scheduler;
  tokens: Tokens;
  facts: ServerFacts;
}

export class TinkerPolicy implements TrainablePolicy {
  readonly capabilities: Capabilities;
  readonly #parts: TinkerPolicyParts;
  readonly #sampler: Sampler;
  /** Where its weights come from: a checkpoint's handle, or the base model's. */
  readonly #origin: string;
  /** Version that the origin's weights were published as. */
  readonly #originName: string | null;
  readonly #ending = new AbortController();
  /** Shared by everything restored from one opened policy: closed with the last of them. */
  readonly #shares: { open: number };
  #model: Promise<TrainedModel> | null = null;

  private constructor(
    parts: TinkerPolicyParts,
    sampler: Sampler,
    origin: { handle: string; name: string | null },
    shares: { open: number },
  ) {
    this.#parts = parts;
    this.#sampler = sampler;
    this.#origin = origin.handle;
    this.#originName = origin.name;
    this.#shares = shares;
    shares.open += 1;
    const { endpoint, facts } = parts;
    this.capabilities = {
      mode: 'step',
      losses: ['cross_entropy', 'importance_sampling', 'ppo', 'cispo'],
      score: true,
      reduction: 'sum',
      maxContext: facts.contextOf(endpoint.model) ?? usualContext,
      concurrency: endpoint.inFlight ?? 400,
      deterministic: facts.deterministic,
    };
  }

  /** @throws EndpointError: not there, no key, or a model that it does not serve */
  static async open(parts: TinkerPolicyParts, signal: AbortSignal): Promise<TinkerPolicy> {
    const { connection, endpoint, tokens, facts } = parts;
    if (facts.models.length > 0 && !facts.models.includes(endpoint.model)) {
      throw new EndpointError('unable', `it does not serve the model "${endpoint.model}"`, {
        ...{ endpoint: connection.http.url, request: 'GET /api/v1/get_server_capabilities', attempts: 1 },
        remedy: `It serves ${facts.models.slice(0, 12).join(', ')}.`,
      });
    }
    await connection.session(signal);
    const sampler = new Sampler(connection, tokens);
    return new TinkerPolicy(parts, sampler, { handle: baseHandle(endpoint.model), name: null }, { open: 0 });
  }

  async publish(name: string): Promise<PolicyVersion> {
    if (this.#model === null) {
      // Nothing was trained since the origin: its weights are published already, or are the base model's.
      const handle = isBase(this.#origin)
        ? this.#origin
        : this.#originName === name
          ? this.#parts.connection.ledger.publishedAs(name)
          : null;
      if (handle !== null) return { name, handle };
    }
    const handle = await (await this.#trained()).publish(name);
    await this.#parts.connection.ledger.add({ type: 'published', name, handle });
    return { name, handle };
  }

  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<Completion | FailedCompletion, void> {
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    const { scheduler, name } = this.#parts;
    const ordered = this.#parts.facts.deterministic;
    const work = async (
      request: SampleRequest,
      _replica: number,
      asked: AbortSignal,
    ): Promise<(Completion | FailedCompletion)[]> => {
      try {
        return await this.#sampler.complete(version.handle, request, ordered, asked);
      } catch (error) {
        return failedCompletions(request, error);
      }
    };
    if (!ordered) {
      for await (const completions of scheduler.each(`${name} samples`, requests, work, ending)) yield* completions;
      return;
    }
    // A server that repeats itself is asked by runs that repeat themselves: completions come in request order.
    const done = new Map<SampleRequest, readonly (Completion | FailedCompletion)[]>();
    const all = scheduler.each(
      `${name} samples`,
      requests,
      async (request, replica, asked) => ({ request, completions: await work(request, replica, asked) }),
      ending,
    );
    let next = 0;
    for await (const { request, completions } of all) {
      done.set(request, completions);
      for (let ready = requests[next]; ready !== undefined && done.has(ready); ready = requests[++next]) {
        yield* done.get(ready) ?? [];
        done.delete(ready);
      }
    }
  }

  async score(
    version: PolicyVersion,
    sequences: readonly (readonly number[])[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    const { scheduler, name } = this.#parts;
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    const work = async ([i, sequence]: [number, readonly number[]], _replica: number, asked: AbortSignal) => ({
      i,
      logprobs: await this.#sampler.score(version.handle, sequence, asked),
    });
    const scored = await Array.fromAsync(scheduler.each(`${name} scores`, sequences.entries(), work, ending));
    return scored.sort((a, b) => a.i - b.i).map(({ logprobs }) => logprobs);
  }

  async accumulate(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    return (await this.#trained()).accumulate(data, loss);
  }

  async step(adam: AdamParams): Promise<StepMetrics> {
    return { gradNorm: await (await this.#trained()).step(adam) };
  }

  render(messages: readonly Message[]): Promise<{ tokens: number[]; spans: [number, number][] }> {
    return Promise.resolve(this.#parts.tokens.render(messages));
  }

  async checkpoint(name: string): Promise<CheckpointRef> {
    if (this.#model === null) return { name, handle: this.#origin };
    const model = await this.#model;
    const handle = await model.save(name);
    await this.#parts.connection.ledger.add({ type: 'checkpoint', model: model.id, name, handle, seq: model.seq });
    return { name, handle };
  }

  restore({ name, handle }: CheckpointRef): Promise<TinkerPolicy> {
    const origin = { handle, name };
    return Promise.resolve(new TinkerPolicy(this.#parts, this.#sampler, origin, this.#shares));
  }

  dispose(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    this.#ending.abort(new Error('The policy was disposed of.'));
    this.#shares.open -= 1;
    if (this.#shares.open === 0) this.#parts.connection.close();
    return Promise.resolve();
  }

  /** The training model: the one of before where it stands at our origin, else a new one. */
  #trained(): Promise<TrainedModel> {
    this.#model ??= this.#attachOrMake().catch((error: unknown) => {
      this.#model = null;
      throw error;
    });
    return this.#model;
  }

  async #attachOrMake(): Promise<TrainedModel> {
    const { connection } = this.#parts;
    const { signal } = this.#ending;
    const known = connection.ledger.modelAt(this.#origin);
    if (known !== null && (await this.#lives(known.model))) {
      connection.log.info(`${connection.http.url}: carries on with ${known.model} after request ${known.seq}.`);
      return new TrainedModel(connection, known.model, known.seq, signal);
    }
    return this.#make(signal);
  }

  async #make(signal: AbortSignal): Promise<TrainedModel> {
    const { connection, endpoint } = this.#parts;
    const from = isBase(this.#origin) ? null : this.#origin;
    const rank = from === null ? endpoint.rank : ((await this.#rankOf(from)) ?? endpoint.rank);
    const session = await connection.session(signal);
    const model_seq_id = connection.ledger.modelsOf(session);
    const body = {
      ...{ session_id: session, model_seq_id, base_model: endpoint.model },
      user_metadata: { role: this.#parts.name },
      lora_config: { rank, seed: 0, train_unembed: true, train_mlp: true, train_attn: true },
      type: 'create_model',
    };
    const answer = await connection.submit('/api/v1/create_model', () => ({ body }), signal).result;
    const { model_id: id } = connection.read(answer, modelSchema, 'POST /api/v1/create_model');
    const model = new TrainedModel(connection, id, 0, signal);
    if (from !== null) await model.load(from);
    await connection.ledger.add({ type: 'model', session, id, from: from ?? this.#origin, seq: model.seq });
    return model;
  }

  async #lives(model: string): Promise<boolean> {
    const { connection } = this.#parts;
    const request = { method: 'POST' as const, path: '/api/v1/get_info', body: { model_id: model, type: 'get_info' } };
    const answer = await connection.http.send({ ...request, accept: [400, 404, 410] }, this.#ending.signal);
    if (answer.status >= 300) return false;
    return connection.read(answer, modelInfoSchema, 'POST /api/v1/get_info').model_id === model;
  }

  async #rankOf(path: string): Promise<number | null> {
    const { connection } = this.#parts;
    const request = { method: 'POST' as const, path: '/api/v1/weights_info', body: { tinker_path: path } };
    const info = await connection.ask(request, weightsInfoSchema, this.#ending.signal);
    return info.lora_rank ?? null;
  }
}
