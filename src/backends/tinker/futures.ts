/**
 * Heavy calls answer with a promise; its result is polled for (protocol §10). Every way of not having it yet is a rule
 * here: asked again at once, after a while, or by submitting the request once more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseOrUndefined } from '../../shared/json.ts';
import { EndpointError, type EndpointErrorReason } from '../endpointError.ts';
import type { HttpAnswer, HttpClient } from '../http/httpClient.ts';
import { excerpt } from '../http/words.ts';
import { futureErrorSchema, metadataSchema, tryAgainSchema } from './wire/replies.ts';

/** A server may hold a poll for minutes; a timeout of ours is one more reason to ask again. */
const pollTimeout = { answer: 45_000, whole: 330_000 };
const billingPause = 5_000;
const longestBillingPause = 3_600_000;
/** Pause after the k-th failure in a row. */
const backOff = (failures: number): number => Math.min(2 ** failures, 30) * 1000;
/** What a server may say wrongly for so long; then it is believed. */
const believed = { badRequest: 3, serverError: 40, unreachable: 30, resubmit: 5, malformed: 6 };

export interface FutureOptions {
  http: HttpClient;
  /** What is asked for results in: JSON, or protobuf where the server demands it. */
  accept: () => string;
  /** Told while a server lets requests wait: `paused_capacity`, `paused_rate_limit`, `billing`. */
  onQueue(state: string, reason: string): void;
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** One heavy call: how it is submitted (again), and what it is called in errors. */
export interface HeavyCall {
  name: string;
  /** Gives the promise's id. Sent again it must be the same request to the server. */
  submit(signal: AbortSignal): Promise<string>;
}

type Next = { answer: HttpAnswer } | { pause: number } | { resubmit: true };

export class Futures {
  readonly #options: FutureOptions;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<unknown>;

  constructor(options: FutureOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  }

  /** The result of a call that has been submitted as `id`. @throws EndpointError; the signal's reason */
  async resolve(call: HeavyCall, id: string, signal: AbortSignal): Promise<HttpAnswer> {
    const poll = new Poll(this.#options, call.name);
    let current = id;
    for (let resubmitted = 0; ;) {
      signal.throwIfAborted();
      const next = await poll.once(current, signal);
      if ('answer' in next) return next.answer;
      if ('pause' in next) {
        if (next.pause > 0) await this.#wait(next.pause, signal);
        continue;
      }
      resubmitted += 1;
      if (resubmitted > believed.resubmit) {
        throw poll.error(
          'gone',
          `the server forgot the request ${resubmitted} times`,
          'Resume the run once it keeps them.',
        );
      }
      current = await call.submit(signal);
    }
  }
}

/** The polls of one future: what went wrong in a row decides what is done next. */
class Poll {
  readonly #options: FutureOptions;
  readonly #name: string;
  #asked = 0;
  #metadataOnly = true;
  #failures = 0;
  #badRequests = 0;
  #malformed = 0;
  #billing = 0;

  constructor(options: FutureOptions, name: string) {
    this.#options = options;
    this.#name = name;
  }

  async once(id: string, signal: AbortSignal): Promise<Next> {
    this.#asked += 1;
    let answer: HttpAnswer;
    try {
      answer = await this.#options.http.send(
        {
          method: 'POST',
          path: '/api/v1/retrieve_future',
          body: { request_id: id, allow_metadata_only: this.#metadataOnly },
          headers: {
            accept: this.#options.accept(),
            'x-tinker-request-iteration': String(this.#asked),
            'x-tinker-request-type': this.#name,
          },
          timeout: pollTimeout,
          accept: [400, 402, 404, 408, 410, 429, 500, 502, 503, 504],
          tries: 1,
        },
        signal,
      );
    } catch (error) {
      if (!EndpointError.is(error, 'unreachable') || this.#failures >= believed.unreachable) throw error;
      return { pause: backOff(this.#failures++) };
    }
    return answer.status === 200 ? this.#succeeded(answer) : this.#refused(answer);
  }

  error(reason: EndpointErrorReason, what: string, remedy: string, status?: number): EndpointError {
    const { url } = this.#options.http;
    const facts = { endpoint: url, request: this.#name, attempts: this.#asked, remedy };
    return new EndpointError(reason, what, status === undefined ? facts : { ...facts, status });
  }

  #succeeded(answer: HttpAnswer): Next {
    if (!isJson(answer)) return { answer };
    this.#failures = 0;
    const value = parseOrUndefined(answer.body.toString('utf8'));
    if (value === undefined) return this.#noJson(answer);
    const waiting = tryAgainSchema.safeParse(value);
    if (waiting.success) {
      const { queue_state, queue_state_reason } = waiting.data;
      if (queue_state !== 'active') this.#options.onQueue(queue_state ?? 'waiting', queue_state_reason ?? '');
      return { pause: 0 };
    }
    if (metadataSchema.safeParse(value).success) {
      this.#metadataOnly = false;
      return { pause: 0 };
    }
    const failed = futureErrorSchema.safeParse(value);
    if (!failed.success) return { answer };
    const { error, category } = failed.data;
    // The server's own fault may pass; what it calls ours would fail again.
    if (category !== 'user' && this.#failures < believed.resubmit) {
      this.#failures += 1;
      return { resubmit: true };
    }
    const reason = category === 'user' ? 'refused' : 'failed';
    throw this.error(reason, `the server said: ${error}`, 'See the message; resume the run once it is mended.');
  }

  #refused({ status, body }: HttpAnswer): Next {
    const said = body.toString('utf8').slice(0, 300);
    if (status === 408) return { pause: 0 };
    // A server that began again may not even know that it forgot.
    if (status === 410 || status === 404) return { resubmit: true };
    if (status === 402) {
      this.#billing += billingPause;
      this.#options.onQueue('billing', said);
      if (this.#billing < longestBillingPause) return { pause: billingPause };
      throw this.error('billing', 'the account is not paid for', 'Settle the bill, then resume the run.', status);
    }
    if (status === 400) {
      this.#badRequests += 1;
      if (this.#badRequests <= believed.badRequest) return { pause: backOff(this.#badRequests) };
      throw this.error('refused', `the request was refused: ${said}`, 'See the message for what does not fit.', status);
    }
    this.#failures += 1;
    if (this.#failures <= believed.serverError) return { pause: status === 429 ? backOff(this.#failures) : 250 };
    const reason = status === 429 ? 'overloaded' : 'failed';
    throw this.error(reason, `the server answered ${status}: ${said}`, 'Resume the run once it works again.', status);
  }

  /** Cut on its way, or with NaN in it: the result may come whole another time. */
  #noJson({ body }: HttpAnswer): Next {
    this.#malformed += 1;
    if (this.#malformed < believed.malformed) return { pause: backOff(this.#malformed - 1) };
    const start = excerpt(body);
    throw this.error('malformed', `the answer is no JSON: ${start}`, 'Check what answers at this address.', 200);
  }
}

export const isJson = ({ headers }: HttpAnswer): boolean => !(headers['content-type'] ?? '').includes('protobuf');
