/**
 * Heavy calls answer with a promise; its result is polled for (protocol §10). Every way of not having it yet is a rule
 * here: asked again at once, after a while, or by submitting the request once more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseOrUndefined } from '../../shared/json.ts';
import { EndpointError, type EndpointErrorReason } from '../endpointError.ts';
import type { HttpAnswer, HttpClient } from '../http/httpClient.ts';
import { retryAfter } from '../http/retryRules.ts';
import { excerpt } from '../http/words.ts';
import type { ByteRoom } from './byteRoom.ts';
import { futureErrorSchema, metadataSchema, queueWordSchema, tryAgainSchema, type QueueWord } from './wire/replies.ts';

/** A server may hold a poll for minutes; a timeout of ours is one more reason to ask again. */
const pollTimeout = { answer: 45_000, whole: 330_000 };
const billingPause = 5_000;
/** A server that fails is asked again at once, but not in a tight circle. */
const atOnce = 250;
/** Pause after the k-th failure in a row. */
const backOff = (failures: number): number => Math.min(2 ** failures, 30) * 1000;
/** What a server may say wrongly for so long; then it is believed. */
const believed = { badRequest: 3, serverError: 40, unreachable: 30, resubmit: 5, malformed: 6 };
/** What the rules below decide on; every other status is a failure as anywhere. */
const ruled = [400, 402, 404, 406, 408, 410, 429, ...Array.from({ length: 100 }, (_, i) => 500 + i)];

export interface FutureOptions {
  http: HttpClient;
  /** What is asked for results in: JSON, or protobuf where the server demands it. */
  accept: () => string;
  /** Told while a server lets requests wait: `paused_capacity`, `paused_rate_limit`, `billing`. */
  onQueue(state: string, reason: string): void;
  /** Results are no longer given as JSON. */
  onUnacceptable(): void;
  /** Room for results on their way. */
  room: ByteRoom;
  /** Milliseconds that an unpaid bill is waited for. */
  longestBillingPause: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** One heavy call: how it is submitted (again), and what it is called in errors. */
export interface HeavyCall {
  name: string;
  /** As the protocol's own client names it: `ForwardBackward`. */
  type: string;
  /** Sent again it must be the same request to the server. */
  submit(signal: AbortSignal): Promise<Promised>;
}

export interface Promised {
  id: string;
  /** Milliseconds until the promise was there; null for one of before. */
  roundTrip: number | null;
}

type Next = { answer: HttpAnswer } | { pause: number } | { resubmit: true } | { reserve: number };

export class Futures {
  readonly #options: FutureOptions;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<unknown>;

  constructor(options: FutureOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  }

  /** The result of a call that has been submitted. @throws EndpointError; the signal's reason */
  async resolve(call: HeavyCall, promised: Promised, signal: AbortSignal): Promise<HttpAnswer> {
    let leave = (): void => undefined;
    try {
      return await this.#resolve(call, promised, signal, async (bytes) => {
        leave();
        leave = await this.#options.room.take(bytes, signal);
      });
    } finally {
      leave();
    }
  }

  async #resolve(
    call: HeavyCall,
    promised: Promised,
    signal: AbortSignal,
    reserve: (bytes: number) => Promise<void>,
  ): Promise<HttpAnswer> {
    const poll = new Poll(this.#options, call);
    let current = promised;
    for (let resubmitted = 0; ;) {
      signal.throwIfAborted();
      const next = await poll.once(current, signal);
      if ('answer' in next) return next.answer;
      if ('reserve' in next) {
        await reserve(next.reserve);
        continue;
      }
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
  readonly #call: Pick<HeavyCall, 'name' | 'type'>;
  #asked = 0;
  #metadataOnly = true;
  #failures = 0;
  #badRequests = 0;
  #malformed = 0;
  #billing = 0;

  constructor(options: FutureOptions, call: Pick<HeavyCall, 'name' | 'type'>) {
    this.#options = options;
    this.#call = call;
  }

  async once({ id, roundTrip }: Promised, signal: AbortSignal): Promise<Next> {
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
            'x-tinker-request-type': this.#call.type,
            ...(roundTrip === null ? {} : { 'x-tinker-create-promise-roundtrip-time': String(roundTrip / 1000) }),
          },
          timeout: pollTimeout,
          accept: ruled,
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
    const facts = { endpoint: url, request: this.#call.name, attempts: this.#asked, remedy };
    return new EndpointError(reason, what, status === undefined ? facts : { ...facts, status });
  }

  #succeeded(answer: HttpAnswer): Next {
    if (!isJson(answer)) return { answer };
    this.#failures = 0;
    const value = parseOrUndefined(answer.body.toString('utf8'));
    if (value === undefined) return this.#noJson(answer);
    const waiting = tryAgainSchema.safeParse(value);
    if (waiting.success) {
      this.#tellQueue(waiting.data);
      return { pause: 0 };
    }
    const metadata = metadataSchema.safeParse(value);
    if (metadata.success) {
      this.#metadataOnly = false;
      return { reserve: metadata.data.response_payload_size ?? 0 };
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

  #tellQueue({ queue_state, queue_state_reason }: QueueWord): void {
    if (queue_state !== 'active') this.#options.onQueue(queue_state ?? 'waiting', queue_state_reason ?? '');
  }

  #refused({ status, headers, body }: HttpAnswer): Next {
    const text = body.toString('utf8');
    const said = text.slice(0, 300);
    if (status === 408) {
      const word = queueWordSchema.safeParse(parseOrUndefined(text)).data;
      if ((word?.queue_state ?? null) !== null && word !== undefined) this.#tellQueue(word);
      return { pause: 0 };
    }
    if (status === 406 && !this.#options.accept().includes('protobuf')) {
      this.#options.onUnacceptable();
      return { pause: 0 };
    }
    // A server that began again may not even know that it forgot.
    if (status === 410 || status === 404) return { resubmit: true };
    if (status === 402) {
      this.#billing += billingPause;
      this.#options.onQueue('billing', said);
      if (this.#billing < this.#options.longestBillingPause()) return { pause: billingPause };
      throw this.error('billing', 'the account is not paid for', 'Settle the bill, then resume the run.', status);
    }
    if (status === 400 || status === 406) {
      this.#badRequests += 1;
      if (status === 400 && this.#badRequests <= believed.badRequest) return { pause: backOff(this.#badRequests) };
      throw this.error('refused', `the request was refused: ${said}`, 'See the message for what does not fit.', status);
    }
    this.#failures += 1;
    if (this.#failures <= believed.serverError) {
      return { pause: status === 429 ? (retryAfter(headers) ?? backOff(this.#failures)) : atOnce };
    }
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
