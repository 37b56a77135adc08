/** The embedded endpoint as a `Policy`: a small language model with real gradients in a worker thread of this process. */
import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type {
  AdamParams,
  Capabilities,
  CheckpointRef,
  Datum,
  Loss,
  PolicyVersion,
  SampleRequest,
  StepMetrics,
  TrainablePolicy,
  TrainMetrics,
} from '../../engine/ports.ts';
import { newTokens } from '../../engine/newTokens.ts';
import type { Message } from '../../shared/records/message.ts';
import { endedByText } from '../tokens/stopTexts.ts';
import { capabilitiesOf } from './capabilities.ts';
import { checkpointPath, readCheckpointBytes } from './model/checkpoint.ts';
import { CompletionStream } from './completionStream.ts';
import { EmbeddedError } from './errors.ts';
import { type KernelSource, moduleOf } from './model/kernels.ts';
import { flatten, flattenFloats, unflatten } from './protocol.ts';
import { render, type Rendered } from './render.ts';
import type { TokenRequest } from './model/sampler.ts';
import { Vocabulary } from './vocabulary.ts';
import { readHeader } from './model/weights.ts';
import { expect, WorkerClient } from './workerClient.ts';
import type { Completion } from '../../engine/completion.ts';

export interface EmbeddedPolicyOptions {
  /** Contents of a weights file, or where it lies. */
  weights: Uint8Array | URL | string;
  /** The bundled worker. */
  worker: URL;
  /** The compiled kernels, or where they lie. */
  kernels: KernelSource | URL | string;
  /** Folder for checkpoints, which their handles are relative to; made when the first one is written. */
  checkpoints: string;
  /** Stands before each checkpoint, and throws when another process writes that folder now; absent: none does. */
  fence?: (() => Promise<void>) | undefined;
  name: 'agent' | 'environment';
}

export class EmbeddedPolicy implements TrainablePolicy {
  readonly capabilities: Capabilities;
  readonly name: 'agent' | 'environment';
  readonly vocabulary: Vocabulary;
  readonly #client: WorkerClient;
  readonly #options: EmbeddedPolicyOptions;

  private constructor(client: WorkerClient, options: EmbeddedPolicyOptions, header: ReturnType<typeof readHeader>) {
    this.#client = client;
    this.#options = options;
    this.name = options.name;
    this.vocabulary = new Vocabulary(header.vocabulary, header.end);
    this.capabilities = capabilitiesOf(header.config);
  }

  /** @throws EmbeddedError reason `weights`, `checkpoint` or `kernels` when a file is missing, damaged or foreign. */
  static async load(options: EmbeddedPolicyOptions): Promise<EmbeddedPolicy> {
    const source =
      options.weights instanceof Uint8Array ? l10n.t("The {0}'s weights", options.name) : String(options.weights);
    // Each step holds the thread for a while; others get their turn in between.
    const weights = bytesOf(options.weights);
    await setImmediate();
    const { kernels: given } = options;
    const kernels = moduleOf(typeof given === 'string' || given instanceof URL ? bytesOf(given) : given);
    await setImmediate();
    const header = readHeader(weights, source);
    await setImmediate();
    const client = await WorkerClient.start(options.worker, {
      kernels,
      weights,
      source,
      checkpoints: options.checkpoints,
    });
    return new EmbeddedPolicy(client, { ...options, kernels }, header);
  }

  /** The worker keeps the first published version and the newest 16. */
  async publish(name: string): Promise<PolicyVersion> {
    expect(await this.#client.call({ type: 'publish', name }).answer, 'done');
    return { name, handle: name };
  }

  /** Completions in request order, each as soon as it and all before it are done. */
  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<Completion, void> {
    signal.throwIfAborted();
    const rendered = requests.map((request) => this.#tokenise(request));
    const stream = new CompletionStream(signal);
    const { id, answer } = this.#client.call(
      { type: 'sample', version: version.handle, requests: rendered },
      { onCompletions: (completions) => stream.push(completions) },
    );
    answer.then(
      () => stream.end(),
      (error: unknown) => stream.fail(error),
    );
    try {
      for await (const { request, ...rest } of stream) {
        const asked = requests[request];
        if (!asked)
          throw new EmbeddedError('worker', l10n.t('The worker completed request {0}, which was not made.', request));
        const promptTokens = rendered[request]?.prompt ?? [];
        const completion = { requestId: asked.id, promptTokens, ...rest };
        yield endedByText(completion, (ids) => this.vocabulary.decode(ids), asked.stop);
      }
    } finally {
      this.#client.abort(id);
      stream.close();
    }
  }

  score(version: PolicyVersion, sequences: readonly (readonly number[])[], signal: AbortSignal): Promise<number[][]> {
    return this.#perToken('score', version, sequences, signal);
  }

  entropies(
    version: PolicyVersion,
    sequences: readonly (readonly number[])[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    return this.#perToken('entropies', version, sequences, signal);
  }

  words(tokens: readonly number[]): string[] {
    return tokens.map((token) => this.vocabulary.word(token));
  }

  async #perToken(
    type: 'score' | 'entropies',
    version: PolicyVersion,
    sequences: readonly (readonly number[])[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    signal.throwIfAborted();
    const flat = flatten(sequences);
    // Its own copy: the call transfers the flat arrays away.
    const offsets = flat.offsets.slice();
    const { id, answer } = this.#client.call(
      { type, version: version.handle, sequences: flat },
      { transfer: [flat.tokens.buffer, flat.offsets.buffer] },
    );
    const result = await this.#unlessAborted(id, answer, signal);
    return unflatten(expect(result, 'scored').values, offsets);
  }

  async accumulate(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    const needed = loss.name === 'cross_entropy' ? (['weights'] as const) : (['logprobs', 'advantages'] as const);
    const sequences = flatten(data.map(({ tokens }) => tokens));
    const offsets = sequences.offsets.slice();
    const arrays = needed.map((name) => [name, this.#aligned(data, name, sequences.tokens.length)] as const);
    const { answer } = this.#client.call(
      { type: 'accumulate', sequences, loss, ...Object.fromEntries(arrays) },
      { transfer: [sequences.tokens.buffer, sequences.offsets.buffer, ...arrays.map(([, array]) => array.buffer)] },
    );
    const result = expect(await answer, 'accumulated');
    return { loss: result.loss, logprobs: unflatten(result.logprobs, offsets) };
  }

  async step(adam: AdamParams): Promise<StepMetrics> {
    const { gradNorm } = expect(await this.#client.call({ type: 'step', adam }).answer, 'stepped');
    return { gradNorm };
  }

  render(messages: readonly Message[]): Promise<Rendered> {
    return Promise.resolve(render(this.vocabulary, messages));
  }

  async checkpoint(name: string): Promise<CheckpointRef> {
    await this.#options.fence?.();
    const { handle } = expect(await this.#client.call({ type: 'checkpoint', name }).answer, 'saved');
    return { name, handle };
  }

  /** A new policy in its own worker; this one continues unchanged. */
  async restore(ref: CheckpointRef): Promise<EmbeddedPolicy> {
    return EmbeddedPolicy.load({ ...this.#options, weights: checkpointPath(this.#options.checkpoints, ref.handle) });
  }

  async dispose(): Promise<void> {
    await this.#client.stop();
  }

  #tokenise(request: SampleRequest): TokenRequest {
    const { seed, temperature } = request;
    const { tokens } = render(this.vocabulary, request.messages);
    const indices = request.only ?? Array.from({ length: request.n }, (_, i) => i);
    const maxTokens = newTokens(request, tokens.length);
    return { prompt: tokens, indices, seed, maxTokens, temperature, tempered: false };
  }

  #aligned(
    data: readonly Datum[],
    name: 'weights' | 'logprobs' | 'advantages',
    length: number,
  ): Float32Array<ArrayBuffer> {
    const arrays = data.map((datum, i) => {
      const array = datum[name];
      if (array?.length === datum.tokens.length) return array;
      throw new EmbeddedError(
        'request',
        l10n.t(
          "Datum {0} needs '{1}' with one number a token: {2}, not {3}.",
          i,
          name,
          datum.tokens.length,
          array?.length ?? 'none',
        ),
      );
    });
    return flattenFloats(arrays, length);
  }

  async #unlessAborted<T>(id: number, answer: Promise<T>, signal: AbortSignal): Promise<T> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      this.#client.abort(id);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([answer, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      // When the abort won the race the answer is unused, and may still fail.
      answer.catch(() => undefined);
    }
  }
}

function bytesOf(file: Uint8Array | URL | string): Uint8Array {
  return file instanceof Uint8Array ? file : readCheckpointBytes(file);
}
