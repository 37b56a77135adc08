/** Sampling from frozen weights, and scoring with them: one sampling session a policy version (protocol §8, §9). */
import type { Completion, SampleRequest } from '../../engine/ports.ts';
import { EndpointError } from '../endpointError.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Connection } from './connection.ts';
import { samplingSessionSchema } from './wire/replies.ts';
import { decodeSampleResult, sampleResultOf, sampleResultSchema, type SampleResult } from './wire/sampling.ts';

/** Handle of weights that nobody trained yet. */
const basePrefix = 'base:';
export const baseHandle = (model: string): string => `${basePrefix}${model}`;
export const isBase = (handle: string): boolean => handle.startsWith(basePrefix);

/** How often a result that cannot be used is asked for; after so many it is sampled anew. */
const tries = 6;
const freshTry = 4;
/** How often in one request a server may lose its sessions. */
const renewals = 3;

interface Ask {
  tokens: readonly number[];
  samples: number;
  seed: number;
  maxTokens: number;
  temperature: number;
  promptLogprobs: boolean;
}

type Body = Readonly<Record<string, unknown>>;

export class Sampler {
  readonly #connection: Connection;
  readonly #tokens: Tokens;
  readonly #sessions = new Map<string, Promise<string>>();
  readonly #counters = new Map<string, number>();

  constructor(connection: Connection, tokens: Tokens) {
    this.#connection = connection;
    this.#tokens = tokens;
  }

  /** All completions of one request. @throws EndpointError; the signal's reason */
  async complete(handle: string, request: SampleRequest, ordered: boolean, signal: AbortSignal): Promise<Completion[]> {
    const wanted = request.only ?? Array.from({ length: request.n }, (_, i) => i);
    const prompt = this.#tokens.prompt(request.messages, request.tools);
    const { seed, maxTokens, temperature } = request;
    const ask: Ask = {
      ...{ tokens: prompt, seed, maxTokens, temperature, promptLogprobs: false },
      // A server that repeats itself gives completion i only together with those before it.
      samples: ordered ? Math.max(...wanted) + 1 : wanted.length,
    };
    const { sequences } = await this.#ask(handle, ask, signal);
    return wanted.map((index, i): Completion => {
      const sequence = sequences[ordered ? index : i];
      if (sequence === undefined) throw new Error('Unreachable: the number of samples was checked.');
      const { tokens, logprobs, stopReason } = sequence;
      return {
        ...{ requestId: request.id, index, promptTokens: prompt, tokens, logprobs: logprobs ?? [], stopReason },
        text: this.#tokens.decode(tokens),
      };
    });
  }

  /** Logprobs of a sequence of L tokens: L values, entry 0 is 0. */
  async score(handle: string, sequence: readonly number[], signal: AbortSignal): Promise<number[]> {
    const ask: Ask = {
      ...{ tokens: sequence, samples: 1, seed: 0, maxTokens: 1, temperature: 1, promptLogprobs: true },
    };
    const { promptLogprobs } = await this.#ask(handle, ask, signal);
    return (promptLogprobs ?? []).map((value, i) => (i === 0 ? 0 : (value ?? 0)));
  }

  async #ask(handle: string, ask: Ask, signal: AbortSignal): Promise<SampleResult> {
    let body: Body | null = null;
    let session: Promise<string> | null = null;
    let renewed = 0;
    for (let attempt = 1; ; attempt++) {
      let result: SampleResult;
      try {
        // Under the same number the server gives the result that it has: nothing is sampled and paid for again.
        if (body === null) {
          session = this.#session(handle, signal);
          body = this.#body(await session, ask);
        }
        result = await this.#askOnce(body, signal);
      } catch (error) {
        if (!EndpointError.is(error, 'gone') || ++renewed > renewals) throw error;
        // A restarted server: its sessions are made again, from weights that lie on its disk.
        if (this.#sessions.get(handle) === session) this.#sessions.delete(handle);
        body = null;
        await this.#connection.renew(signal);
        continue;
      }
      const what = wrong(result, ask);
      if (what === null) return result;
      this.#connection.log.warn(`${this.#connection.http.url}: asample: ${what} (attempt ${attempt})`);
      if (attempt === freshTry) body = null;
      if (attempt >= tries) {
        throw new EndpointError('malformed', what, {
          ...{ endpoint: this.#connection.http.url, request: 'POST /api/v1/asample', attempts: attempt },
          remedy: 'Run Endpoint Doctor on this server.',
        });
      }
    }
  }

  #body(session: string, ask: Ask): Body {
    const seq_id = (this.#counters.get(session) ?? 0) + 1;
    this.#counters.set(session, seq_id);
    return {
      sampling_session_id: session,
      seq_id,
      num_samples: ask.samples,
      prompt: { chunks: [{ type: 'encoded_text', tokens: ask.tokens }] },
      sampling_params: {
        ...{ max_tokens: ask.maxTokens, seed: ask.seed, stop: this.#tokens.stop },
        ...{ temperature: ask.temperature, top_k: -1, top_p: 1 },
      },
      ...{ prompt_logprobs: ask.promptLogprobs, topk_prompt_logprobs: 0, type: 'sample' },
    };
  }

  async #askOnce(body: Body, signal: AbortSignal): Promise<SampleResult> {
    const answer = await this.#connection.submit('/api/v1/asample', () => ({ body }), signal).result;
    if (!this.#connection.isJson(answer)) return decodeSampleResult(answer.body);
    return sampleResultOf(this.#connection.read(answer, sampleResultSchema, 'POST /api/v1/asample'));
  }

  #session(handle: string, signal: AbortSignal): Promise<string> {
    const known = this.#sessions.get(handle);
    if (known !== undefined) return known;
    const opening = this.#open(handle, signal).catch((error: unknown) => {
      this.#sessions.delete(handle);
      throw error;
    });
    this.#sessions.set(handle, opening);
    return opening;
  }

  async #open(handle: string, signal: AbortSignal): Promise<string> {
    const weights = isBase(handle) ? { base_model: handle.slice(basePrefix.length) } : { model_path: handle };
    const session = await this.#connection.session(signal);
    // Written down first: a number that a crashed run used belongs to other weights, and its requests to other prompts.
    const number = await this.#connection.ledger.nextSampling(session);
    const body = {
      session_id: session,
      ...{ sampling_session_seq_id: number, ...weights, type: 'create_sampling_session' },
    };
    const request = { method: 'POST' as const, path: '/api/v1/create_sampling_session', body };
    return (await this.#connection.ask(request, samplingSessionSchema, signal)).sampling_session_id;
  }
}

/** What makes an answer unusable, in words; null when nothing does. */
function wrong({ sequences, promptLogprobs }: SampleResult, ask: Ask): string | null {
  if (sequences.length !== ask.samples) return `${sequences.length} samples came for ${ask.samples} asked for`;
  if (ask.promptLogprobs) {
    if (promptLogprobs?.length !== ask.tokens.length) return 'the prompt came back without its logprobs';
    const missing = promptLogprobs.slice(1).some((value) => value === null || !Number.isFinite(value));
    return missing ? 'logprobs of the prompt are missing or no numbers' : null;
  }
  for (const { tokens, logprobs } of sequences) {
    if (tokens.length === 0) return 'a sample is empty';
    if (logprobs?.length !== tokens.length) return 'a sample came without a logprob for every token';
    if (logprobs.some((value) => !Number.isFinite(value))) return 'a logprob is no number';
  }
  return null;
}
