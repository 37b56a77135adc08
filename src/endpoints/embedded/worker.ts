/** Worker thread of one embedded model: answers the protocol's calls one at a time, in the order they came. */
import { type MessagePort, parentPort, type Transferable, workerData } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Datum } from '../../engine/ports.ts';
import { append } from '../../shared/append.ts';
import { writeCheckpoint } from './model/checkpoint.ts';
import { codeOf } from '../../shared/systemError.ts';
import { EmbeddedError } from './errors.ts';
import {
  flatten,
  flattenFloats,
  type FromWorker,
  type ToWorker,
  toWorkerSchema,
  unflatten,
  workerDataSchema,
} from './protocol.ts';
import type { SampledCompletion } from './model/sampler.ts';
import { EmbeddedTrainer } from './model/trainer.ts';
import { Versions } from './versions.ts';
import { readWeights, writeWeights } from './model/weights.ts';

type CallMessage = Exclude<ToWorker, { type: 'abort' }>;

/** Between looks at the mailbox while sampling: short beside a person's patience, long beside a decoded token. */
const sliceMilliseconds = 10;

class Host {
  readonly #port: MessagePort;
  readonly #trainer: EmbeddedTrainer;
  readonly #checkpoints: string;
  readonly #versions = new Versions();
  readonly #queue: CallMessage[] = [];
  readonly #aborted = new Set<number>();
  /** The call being answered. */
  #current: number | null = null;

  constructor(port: MessagePort, trainer: EmbeddedTrainer, checkpoints: string) {
    this.#port = port;
    this.#trainer = trainer;
    this.#checkpoints = checkpoints;
  }

  receive(raw: unknown): void {
    const parsed = toWorkerSchema.safeParse(raw);
    if (!parsed.success) {
      this.#refuse(raw, parsed.error);
      return;
    }
    const message = parsed.data;
    if (message.type === 'abort') {
      const open = this.#current === message.id || this.#queue.some(({ id }) => id === message.id);
      if (open) this.#aborted.add(message.id);
      return;
    }
    this.#queue.push(message);
    if (this.#current === null) void this.#drain();
  }

  /** A malformed call is its caller's error; one without an id cannot be answered and ends the worker. */
  #refuse(raw: unknown, error: z.ZodError): void {
    const id = z.object({ id: z.number() }).safeParse(raw);
    if (!id.success) throw error;
    this.#post({
      type: 'failed',
      id: id.data.id,
      reason: 'request',
      message: l10n.t('Bad request: {0}', z.prettifyError(error)),
      code: '',
    });
  }

  async #drain(): Promise<void> {
    for (let message = this.#queue.shift(); message; message = this.#queue.shift()) {
      this.#current = message.id;
      try {
        if (this.#aborted.has(message.id)) this.#post({ type: 'done', id: message.id });
        else await this.#answer(message);
      } catch (error) {
        this.#post({ type: 'failed', id: message.id, ...describe(error) });
      }
      this.#aborted.delete(message.id);
    }
    this.#current = null;
  }

  async #answer(message: CallMessage): Promise<void> {
    const { id } = message;
    switch (message.type) {
      case 'publish':
        this.#versions.publish(message.name, this.#trainer.freeze());
        this.#post({ type: 'done', id });
        return;
      case 'sample':
        await this.#sample(message);
        return;
      case 'score':
      case 'entropies': {
        const sequences = unflatten(message.sequences.tokens, message.sequences.offsets);
        const scored = this.#trainer[message.type](this.#versions.get(message.version), sequences);
        const values = flattenFloats(scored, message.sequences.tokens.length);
        this.#post({ type: 'scored', id, values }, [values.buffer]);
        return;
      }
      case 'accumulate': {
        const metrics = this.#trainer.accumulate(dataOf(message), message.loss);
        const logprobs = flattenFloats(metrics.logprobs, message.sequences.tokens.length);
        this.#post({ type: 'accumulated', id, loss: metrics.loss, logprobs }, [logprobs.buffer]);
        return;
      }
      case 'step':
        this.#post({ type: 'stepped', id, ...this.#trainer.step(message.adam) });
        return;
      case 'checkpoint': {
        const handle = writeCheckpoint(this.#checkpoints, message.name, this.#trainer.state());
        this.#post({ type: 'saved', id, handle });
        return;
      }
      case 'export': {
        const state = this.#trainer.state();
        const weights = writeWeights(message.moments ? state : { ...state, moments: null }, 'f32');
        this.#post({ type: 'exported', id, weights });
        return;
      }
      case 'adopt':
        this.#versions.publish(message.name, this.#trainer.frozenOf(readWeights(message.weights, message.name)));
        this.#post({ type: 'done', id });
        return;
    }
  }

  async #sample({ id, version, requests }: Extract<CallMessage, { type: 'sample' }>): Promise<void> {
    const weights = this.#versions.get(version);
    let ready: SampledCompletion[] = [];
    let sliceEnd = performance.now() + sliceMilliseconds;
    for (const finished of this.#trainer.sample(weights, requests)) {
      append(ready, finished);
      if (performance.now() < sliceEnd) continue;
      this.#stream(id, ready);
      ready = [];
      await setImmediate();
      if (this.#aborted.has(id)) break;
      sliceEnd = performance.now() + sliceMilliseconds;
    }
    this.#stream(id, ready);
    this.#post({ type: 'done', id });
  }

  #stream(id: number, completions: readonly SampledCompletion[]): void {
    if (completions.length === 0) return;
    const sequences = flatten(completions.map(({ tokens }) => tokens));
    const logprobs = flattenFloats(
      completions.map((completion) => completion.logprobs),
      sequences.tokens.length,
    );
    const requests = Int32Array.from(completions, ({ request }) => request);
    const indices = Int32Array.from(completions, ({ index }) => index);
    const stopped = Int32Array.from(completions, ({ stopReason }) => (stopReason === 'stop' ? 1 : 0));
    this.#post({ type: 'completions', id, requests, indices, stopped, sequences, logprobs }, [
      requests.buffer,
      indices.buffer,
      stopped.buffer,
      sequences.tokens.buffer,
      sequences.offsets.buffer,
      logprobs.buffer,
    ]);
  }

  #post(message: FromWorker, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

function dataOf(message: Extract<CallMessage, { type: 'accumulate' }>): Datum[] {
  const { tokens, offsets } = message.sequences;
  const cut = (values: Float32Array | undefined): number[][] | undefined => values && unflatten(values, offsets);
  const weights = cut(message.weights);
  const logprobs = cut(message.logprobs);
  const advantages = cut(message.advantages);
  return unflatten(tokens, offsets).map((sequence, i) => ({
    tokens: sequence,
    ...(weights?.[i] && { weights: weights[i] }),
    ...(logprobs?.[i] && { logprobs: logprobs[i] }),
    ...(advantages?.[i] && { advantages: advantages[i] }),
  }));
}

function describe(error: unknown): Pick<EmbeddedError, 'reason' | 'message' | 'code'> {
  if (error instanceof EmbeddedError) return { reason: error.reason, message: error.message, code: error.code };
  return {
    code: codeOf(error),
    reason: 'worker',
    message: l10n.t('The embedded model failed: {0}', error instanceof Error ? (error.stack ?? '') : String(error)),
  };
}

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => port.postMessage(message);
  try {
    const { kernels, weights, source, checkpoints } = workerDataSchema.parse(workerData);
    const host = new Host(port, new EmbeddedTrainer(kernels, readWeights(weights, source)), checkpoints);
    port.on('message', (message: unknown) => {
      host.receive(message);
    });
    post({ type: 'ready' });
  } catch (error) {
    post({ type: 'refused', ...describe(error) });
  }
}
