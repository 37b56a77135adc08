/** Sampling from frozen weights, and scoring with them: one sampling session a policy version (protocol §8, §9). */
import * as l10n from '@vscode/l10n';
import { newTokens } from '../../engine/newTokens.ts';
import type { Log, SampleRequest } from '../../engine/ports.ts';
import { largest } from '../../shared/extremes.ts';
import { calmLog } from '../calmLog.ts';
import { EndpointError } from '../endpointError.ts';
import { MalformedAnswer, type HttpAnswer } from '../http/httpClient.ts';
import { unlessAborted } from '../time.ts';
import { opensThought } from '../../shared/text/thoughts.ts';
import { endedByText } from '../tokens/stopTexts.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { questionKey, type AskedSample, type AskedSamples } from './askedSamples.ts';
import type { Body, Connection } from './connection.ts';
import { samplingSessionSchema } from './wire/replies.ts';
import { resultIn } from './wire/resultIn.ts';
import { decodeSampleResult, sampleResultOf, sampleResultSchema, type SampleResult } from './wire/sampling.ts';
import type { Completion } from '../../engine/completion.ts';

/** Handle of untrained weights. */
const basePrefix = 'base:';
export const baseHandle = (model: string): string => `${basePrefix}${model}`;
export const isBase = (handle: string): boolean => handle.startsWith(basePrefix);

/** How often a request whose results stay useless is sampled anew, under another number. */
const mostAnew = 1;
/** How often in one request a server may lose its sessions. */
const renewals = 3;
/** Estimates of the protocol's own client (§9.4): bytes of a token, and the size of a large prompt. */
const tokenBytes = 10;
const largePrompt = 128 * 1024;

interface Ask {
  tokens: readonly number[];
  samples: number;
  seed: number;
  maxTokens: number;
  temperature: number;
  promptLogprobs: boolean;
}

/** A request under its number: the server knows it again by it. */
interface Numbered {
  session: string;
  seq: number;
}

/** The record of a request for a later run; null for one that is cheap to repeat. */
type Note = Pick<AskedSample, 'wanted'> & { key: string };

export class Sampler {
  readonly #connection: Connection;
  readonly #tokens: Tokens;
  readonly #sessions = new Map<string, Promise<string>>();
  readonly #counters = new Map<string, number>();
  readonly #asked: AskedSamples;
  readonly #longest: number;
  readonly #log: Log;

  /** @param longest tokens of the longest sequence that the server can score; null where it does not say */
  constructor(connection: Connection, tokens: Tokens, asked: AskedSamples, longest: number | null) {
    this.#connection = connection;
    this.#longest = longest ?? Infinity;
    this.#tokens = tokens;
    this.#asked = asked;
    this.#log = calmLog(connection.log);
  }

  /** All completions of one request. @throws EndpointError; the signal's reason */
  async complete(handle: string, request: SampleRequest, ordered: boolean, signal: AbortSignal): Promise<Completion[]> {
    const wanted = request.only ?? Array.from({ length: request.n }, (_, i) => i);
    const prompt = this.#tokens.prompt(request.messages, request.tools);
    const decode = (ids: readonly number[]): string => this.#tokens.decode(ids);
    const opened = opensThought(prompt, decode);
    const { seed, temperature } = request;
    // An update scores what was sampled: one longer sequence would be refused then, and the update with it.
    if (prompt.length >= this.#longest) throw this.#noRoom(prompt.length);
    const maxTokens = newTokens(request, prompt.length, this.#longest);
    const ask: Ask = {
      ...{ tokens: prompt, seed, maxTokens, temperature, promptLogprobs: false },
      // A server that repeats itself gives completion i only together with those before it.
      samples: ordered ? largest(wanted) + 1 : wanted.length,
    };
    const key = questionKey([handle, request.id, prompt, this.#tokens.stop, seed, maxTokens, temperature]);
    const before = this.#asked.take(key, wanted);
    const found = before === null ? null : await this.#resume(before, ask, signal);
    const { sequences } = found ?? (await this.#ask(handle, ask, { key, wanted }, signal));
    const order = found === null || before === null ? wanted : before.wanted;
    const completed = wanted.map(async (index): Promise<Completion> => {
      const sequence = sequences[ordered ? index : order.indexOf(index)];
      if (sequence === undefined) throw new Error('Unreachable: the number of samples was checked.');
      const { tokens, stopReason } = sequence;
      const logprobs = await this.#own(handle, request, prompt, sequence, signal);
      const completion = { requestId: request.id, index, promptTokens: prompt, tokens, logprobs, stopReason };
      return endedByText(completion, decode, request.stop, opened);
    });
    return Promise.all(completed);
  }

  /**
   * A completion's logprobs under the model itself. The protocol tells those of the tempered distribution, so at another
   * temperature than 1 the same weights score what they sampled: one more prefill.
   */
  async #own(
    handle: string,
    { temperature, logprobs: wanted }: SampleRequest,
    prompt: readonly number[],
    { tokens, logprobs }: SampleResult['sequences'][number],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    if (temperature === 0 || temperature === 1) return logprobs ?? [];
    if (wanted === false) return [];
    const scored = await this.score(handle, [...prompt, ...tokens], signal);
    return scored.slice(prompt.length);
  }

  /** Logprobs of a sequence of L tokens: L values, entry 0 is 0. */
  async score(handle: string, sequence: readonly number[], signal: AbortSignal): Promise<number[]> {
    const ask: Ask = {
      ...{ tokens: sequence, samples: 1, seed: 0, maxTokens: 1, temperature: 1, promptLogprobs: true },
    };
    const { promptLogprobs } = await this.#ask(handle, ask, null, signal);
    return (promptLogprobs ?? []).map((value, i) => (i === 0 ? 0 : (value ?? 0)));
  }

  #noRoom(prompt: number): EndpointError {
    const most = this.#longest - 1;
    return new EndpointError(
      'refused',
      l10n.t('the prompt has {0} tokens, and the context leaves room for {1}', prompt, most),
      {
        ...{ endpoint: this.#connection.http.url, request: 'POST /api/v1/asample', attempts: 1 },
        remedy: l10n.t('Shorten the prompt, or choose a model with a larger context.'),
      },
    );
  }

  /** The pending samples of a killed run, from the server that has them; null where it has not. */
  async #resume(before: AskedSample, ask: Ask, signal: AbortSignal): Promise<SampleResult | null> {
    const { log, http } = this.#connection;
    const asked = { ...ask, samples: before.samples };
    try {
      return await this.#askOnce(before, asked, null, before.promise, signal);
    } catch (error) {
      if (!EndpointError.is(error) || !['gone', 'refused', 'failed', 'malformed'].includes(error.reason)) throw error;
      log.info(`${http.url}: what was asked for before is not there any more (${error.reason}); it is asked for anew.`);
      return null;
    }
  }

  async #ask(handle: string, ask: Ask, note: Note | null, signal: AbortSignal): Promise<SampleResult> {
    let renewed = 0;
    let anew = 0;
    for (;;) {
      const session = this.#session(handle);
      try {
        // Under this number the server gives the result that it has: nothing is sampled and paid for again.
        const numbered = this.#number(await unlessAborted(session, signal));
        if (note !== null) await this.#asked.asking(note.key, { ...numbered, ...note, samples: ask.samples });
        return await this.#askOnce(numbered, ask, note, null, signal);
      } catch (error) {
        if (EndpointError.is(error, 'malformed') && ++anew <= mostAnew) {
          this.#log.warn(`${error.message} It is sampled anew.`);
          continue;
        }
        if (!EndpointError.is(error, 'gone')) throw error;
        if (++renewed > renewals) {
          // SkyRL samples from what its engine has loaded: after a restart, from none of the weights on its disk.
          if (!isBase(handle)) await this.#connection.ledger.unusable(handle);
          throw error;
        }
        // A restarted server: its sessions are made again, from weights that lie on its disk.
        if (this.#sessions.get(handle) === session) this.#sessions.delete(handle);
        await this.#connection.renew(signal);
      }
    }
  }

  #number(session: string): Numbered {
    const seq = (this.#counters.get(session) ?? 0) + 1;
    this.#counters.set(session, seq);
    return { session, seq };
  }

  /** `promise`: one that the server has made for this number; absent it is asked for. */
  async #askOnce(
    { session, seq }: Numbered,
    ask: Ask,
    note: Note | null,
    promise: string | null,
    signal: AbortSignal,
  ): Promise<SampleResult> {
    const bytes = ask.tokens.length * tokenBytes;
    const request: Body = {
      body: {
        sampling_session_id: session,
        seq_id: seq,
        num_samples: ask.samples,
        prompt: { chunks: [{ type: 'encoded_text', tokens: ask.tokens }] },
        sampling_params: {
          ...{ max_tokens: ask.maxTokens, seed: ask.seed, stop: this.#tokens.stop },
          ...{ temperature: ask.temperature, top_k: -1, top_p: 1 },
        },
        ...{ prompt_logprobs: ask.promptLogprobs, topk_prompt_logprobs: 0, type: 'sample' },
      },
      headers: { 'x-tinker-sampling-backpressure': '1' },
      leastPause: bytes > largePrompt ? 5000 : 1000,
    };
    const read = (answer: HttpAnswer): SampleResult => sampleResultIn(answer, ask);
    const { result } = this.#connection.submit('/api/v1/asample', () => request, read, signal, {
      ...{ bytes, promise, remedy: l10n.t('Run Endpoint Doctor on this server.') },
      ...(note !== null && { onPromise: (id: string) => this.#asked.promised(note.key, { session, seq }, id) }),
    });
    return result;
  }

  /** One for all that sample from these weights, whichever of them still wait. */
  #session(handle: string): Promise<string> {
    const known = this.#sessions.get(handle);
    if (known !== undefined) return known;
    const opening = this.#open(handle, this.#connection.http.closed).catch((error: unknown) => {
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

/** @throws MalformedAnswer for what does not answer it */
function sampleResultIn(answer: HttpAnswer, ask: Ask): SampleResult {
  const found = resultIn(answer, { json: sampleResultSchema, of: sampleResultOf, decode: decodeSampleResult });
  const result = { ...found, promptLogprobs: aligned(found.promptLogprobs, ask.tokens.length) };
  const what = wrong(result, ask);
  if (what !== null) throw new MalformedAnswer(what);
  return result;
}

/** With an entry for the first token, which has no logprob: SkyRL's JAX backend leaves it out. */
const aligned = (logprobs: SampleResult['promptLogprobs'], length: number): SampleResult['promptLogprobs'] =>
  logprobs?.length === length - 1 ? [null, ...logprobs] : logprobs;

/** The reason why an answer is unusable, in words; null when it is usable. */
function wrong({ sequences, promptLogprobs }: SampleResult, ask: Ask): string | null {
  if (sequences.length !== ask.samples)
    return l10n.t('{0} samples came for {1} asked for', sequences.length, ask.samples);
  if (ask.promptLogprobs) {
    if (promptLogprobs?.length !== ask.tokens.length) return l10n.t('the prompt came back without its logprobs');
    const missing = promptLogprobs.slice(1).some((value) => value === null || !Number.isFinite(value));
    return missing ? l10n.t('logprobs of the prompt are missing or no numbers') : null;
  }
  for (const { tokens, logprobs } of sequences) {
    if (tokens.length === 0) return l10n.t('a sample is empty');
    if (logprobs?.length !== tokens.length) return l10n.t('a sample came without a logprob for every token');
    if (logprobs.some((value) => !Number.isFinite(value))) return l10n.t('a logprob is no number');
  }
  return null;
}
