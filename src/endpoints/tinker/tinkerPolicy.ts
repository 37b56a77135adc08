/**
 * A policy on a Tinker server (the hosted service, SkyRL, `genenv serve`). Nothing is made there before it is needed: a
 * frozen policy never has a training model, and one that is carried on finds its model of before where that still lives.
 */
import * as l10n from '@vscode/l10n';
import type {
  AdamParams,
  Capabilities,
  CheckpointRef,
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
import type { TinkerEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { defined } from '../../shared/defined.ts';
import { EndpointError } from '../endpointError.ts';
import { failedCompletions } from '../failedCompletion.ts';
import { unlessAborted } from '../time.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { AskedSamples } from './askedSamples.ts';
import type { Connection } from './connection.ts';
import type { ServerFacts } from './facts.ts';
import { makeModel } from './makeModel.ts';
import { semanticsWords } from './semanticsWords.ts';
import type { TrainingSemantics } from './trainingSemantics.ts';
import { baseHandle, isBase, Sampler } from './sampler.ts';
import { TrainedModel } from './trainedModel.ts';
import { probeSemantics } from './probeSemantics.ts';
import { modelInfoSchema, weightsInfoSchema } from './wire/replies.ts';
import type { Completion } from '../../engine/completion.ts';

/** Context of a model whose server does not say it: what most of them have at least (§14). */
const usualContext = 32_768;

export interface TinkerPolicyParts {
  name: 'agent' | 'environment';
  endpoint: TinkerEndpoint;
  connection: Connection;
  scheduler: Scheduler;
  tokens: Tokens;
  facts: ServerFacts;
  /** Samples that a run asked for, before and now. */
  asked: AskedSamples;
}

interface Shares {
  open: number;
  /** Calls of `sample` under way. */
  sampling: number;
  semantics: Promise<TrainingSemantics> | null;
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
  readonly #shares: Shares;
  #model: Promise<TrainedModel> | null = null;

  private constructor(
    parts: TinkerPolicyParts,
    sampler: Sampler,
    origin: { handle: string; name: string | null },
    shares: Shares,
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
      ...defined({ longest: facts.longestOf(endpoint.model) ?? undefined }),
      concurrency: endpoint.inFlight ?? 400,
      deterministic: facts.deterministic,
    };
  }

  /** @throws EndpointError: not there, no key, or a model that it does not serve */
  static async open(parts: TinkerPolicyParts, signal: AbortSignal): Promise<TinkerPolicy> {
    const { connection, endpoint, tokens, facts } = parts;
    if (facts.models.length > 0 && !facts.models.includes(endpoint.model)) {
      throw new EndpointError('unable', l10n.t('it does not serve the model "{0}"', endpoint.model), {
        ...{ endpoint: connection.http.url, request: 'GET /api/v1/get_server_capabilities', attempts: 1 },
        remedy: l10n.t('It serves {0}.', facts.models.slice(0, 12).join(', ')),
      });
    }
    await connection.session(signal);
    const sampler = new Sampler(connection, tokens, parts.asked, facts.longestOf(endpoint.model));
    const origin = { handle: baseHandle(endpoint.model), name: null };
    return new TinkerPolicy(parts, sampler, origin, { open: 0, sampling: 0, semantics: null });
  }

  /**
   * Finds out how the server trains, before anything is asked of it that costs more. `together`: the other policy is
   * trained there too. @throws EndpointError `unable` when it cannot train as the method needs
   */
  async prepare(together: boolean): Promise<void> {
    const { models } = await this.#semantics(together);
    if (!together || models !== 'one') return;
    const { connection } = this.#parts;
    throw new EndpointError(
      'unable',
      l10n.t('it holds one training model at a time, and both policies are trained there'),
      {
        ...{ endpoint: connection.http.url, request: 'POST /api/v1/create_model', attempts: 1 },
        remedy: l10n.t('Give the environment a server of its own, or freeze one of the two.'),
      },
    );
  }

  /** How the server trains, tried now whatever it says of itself. @throws EndpointError */
  async examine(together: boolean): Promise<Awaited<ReturnType<typeof probeSemantics>>> {
    const { connection, endpoint, name: role } = this.#parts;
    // Of all policies of this server: one that is disposed of ends it for none.
    const signal = connection.http.closed;
    const trial = { connection, baseModel: endpoint.model, rank: endpoint.rank, role, together, signal };
    const found = await probeSemantics(trial);
    await connection.ledger.add({ type: 'manner', ...found.semantics });
    return found;
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
    if (this.#shares.sampling === 0) await this.#parts.asked.rest();
    this.#shares.sampling += 1;
    try {
      yield* this.#sample(version, requests, signal);
    } finally {
      this.#shares.sampling -= 1;
    }
  }

  async *#sample(
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
      const all = scheduler.each(`${name} samples`, requests, work, ending, ({ urgency }) => urgency);
      for await (const completions of all) yield* completions;
      return;
    }
    // A server that repeats itself is asked by runs that repeat themselves: completions come in request order.
    const done = new Map<SampleRequest, readonly (Completion | FailedCompletion)[]>();
    const all = scheduler.each(
      `${name} samples`,
      requests,
      async (request, replica, asked) => ({ request, completions: await work(request, replica, asked) }),
      ending,
      ({ urgency }) => urgency,
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
    this.#ending.abort(new Error(l10n.t('The policy was disposed of.')));
    this.#shares.open -= 1;
    if (this.#shares.open > 0) return Promise.resolve();
    this.#parts.connection.close();
    return this.#parts.asked.close();
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
      return new TrainedModel(connection, known.model, known.seq, signal, await this.#semantics(false));
    }
    return this.#make(signal);
  }

  async #make(signal: AbortSignal): Promise<TrainedModel> {
    const { connection, endpoint, name: role } = this.#parts;
    const semantics = await this.#semantics(false);
    const load = isBase(this.#origin) ? null : this.#origin;
    const rank = load === null ? endpoint.rank : ((await this.#rankOf(load)) ?? endpoint.rank);
    const order = { baseModel: endpoint.model, rank, role, load, from: this.#origin, semantics };
    return makeModel(connection, order, signal);
  }

  /** As the server says, as the run knows from before, or as it shows now. */
  #semantics(together: boolean): Promise<TrainingSemantics> {
    const { facts, connection } = this.#parts;
    const known = facts.training ?? connection.ledger.semantics;
    if (known !== null && !(together && known.models === null)) return Promise.resolve(known);
    this.#shares.semantics ??= this.#findSemantics(together).finally(() => (this.#shares.semantics = null));
    return unlessAborted(this.#shares.semantics, this.#ending.signal);
  }

  async #findSemantics(together: boolean): Promise<TrainingSemantics> {
    const { connection } = this.#parts;
    const { semantics } = await this.examine(together);
    for (const words of semanticsWords(semantics)) connection.log.warn(`${connection.http.url}: ${words}`);
    return semantics;
  }

  async #lives(model: string): Promise<boolean> {
    const { connection } = this.#parts;
    const request = { method: 'POST' as const, path: '/api/v1/get_info', body: { model_id: model, type: 'get_info' } };
    try {
      return (await connection.ask(request, modelInfoSchema, this.#ending.signal)).model_id === model;
    } catch (error) {
      if (EndpointError.is(error, 'gone') || (EndpointError.is(error, 'refused') && error.status === 400)) return false;
      throw error;
    }
  }

  async #rankOf(path: string): Promise<number | null> {
    const { connection } = this.#parts;
    const request = { method: 'POST' as const, path: '/api/v1/weights_info', body: { tinker_path: path } };
    const info = await connection.ask(request, weightsInfoSchema, this.#ending.signal);
    return info.lora_rank ?? null;
  }
}
