/**
 * Heavy calls answer with a promise; its result is polled for (protocol §10). Every way of not having it yet is a rule
 * here: asked again at once, after a while, or by submitting the request once more.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { parseSaid } from '../../shared/json.ts';
import { EndpointError, type EndpointErrorReason } from '../endpointError.ts';
import { BrokenExchange } from '../http/exchange.ts';
import { failureOfContent } from '../http/failure.ts';
import { MalformedAnswer, type HttpAnswer, type HttpClient } from '../http/httpClient.ts';
import { retryAfter } from '../http/retryRules.ts';
import { machineTime } from '../time.ts';
import type { ByteRoom } from './byteRoom.ts';
import { saysLost } from './lost.ts';
import { isJson } from './wire/resultIn.ts';
import { futureErrorSchema, metadataSchema, queueWordSchema, tryAgainSchema, type QueueWord } from './wire/replies.ts';

/** Milliseconds for the first byte of a poll's answer and for the whole: the hosted service holds polls for less. */
const pollTimeout = { answer: 45_000, whole: 330_000 };
/** SkyRL holds them for 300 s, and answers 408 then: the sign that it is still there (§15). */
const longPollTimeout = { answer: 330_000, whole: 600_000 };
const billingPause = 5_000;
/** A server that fails is asked again at once, but not in a tight circle, and more often than this with pauses that grow. */
const atOnce = { pause: 250, failures: 3 };
/** Milliseconds of failures in a row, without any other sign of the server, after which it is away: a proxy's bad minutes are less. */
const patience = 15 * 60_000;
/** Pause after the k-th failure in a row. */
const backOff = (failures: number): number => Math.min(2 ** failures, 30) * 1000;
/** The number of wrong answers after which a server is believed. */
const believed = { badRequest: 3, resubmit: 5 };
/** How often a result that makes no sense is fetched under its promise, and for how many promises of the same number. */
const senseless = { fetches: 6, promises: 3 };
/** The statuses that the rules below decide on; every other status is a failure as anywhere. */
const ruled = [400, 402, 404, 406, 408, 410, 429, ...Array.from({ length: 100 }, (_, i) => 500 + i)];

export interface FutureOptions {
  /** Failures in a row after which the server is away; those of some minutes when absent. */
  triesUnreachable?: number;
  http: HttpClient;
  /** The requested form of results: JSON, or protobuf where the server demands it. */
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
  /** Milliseconds, as of `Time`; the machine's when absent. */
  now?: () => number;
}

/** One heavy call: how it is submitted (again), how its result is read, and what it is called in errors. */
export interface HeavyCall<T> {
  name: string;
  /** As the protocol's own client names it: `ForwardBackward`. */
  type: string;
  /** Sent again it must be the same request to the server. */
  submit(signal: AbortSignal): Promise<Promised>;
  /** @throws MalformedAnswer for a result that cannot be used: it is fetched again, then asked for anew */
  read(answer: HttpAnswer): T;
  /** The remedy for results that stay useless. */
  remedy?: string | undefined;
}

export interface Promised {
  id: string;
  /** Milliseconds until the promise was there; null for one of before. */
  roundTrip: number | null;
}

type Wait = { pause: number } | { resubmit: true } | { reserve: number };
type Next<T> = { result: T } | Wait;

export class Futures {
  readonly #options: FutureOptions;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<unknown>;

  constructor(options: FutureOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  }

  /** The result of a call that has been submitted. @throws EndpointError; the signal's reason */
  async resolve<T>(call: HeavyCall<T>, promised: Promised, signal: AbortSignal): Promise<T> {
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

  async #resolve<T>(
    call: HeavyCall<T>,
    promised: Promised,
    signal: AbortSignal,
    reserve: (bytes: number) => Promise<void>,
  ): Promise<T> {
    const poll = new Poll(this.#options, call);
    let current = promised;
    for (let resubmitted = 0; ;) {
      signal.throwIfAborted();
      const next = await poll.once(current, signal);
      if ('result' in next) return next.result;
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
          l10n.t('the server forgot the request {0} times', resubmitted),
          l10n.t('Resume the run once it keeps them.'),
        );
      }
      current = await call.submit(signal);
    }
  }
}

/** The polls of one future: what went wrong in a row decides what is done next. */
class Poll<T> {
  readonly #options: FutureOptions;
  readonly #call: HeavyCall<T>;
  #asked = 0;
  #metadataOnly = true;
  /** In a row. */
  #failures = 0;
  /** When the first of them was seen. */
  #failing: number | null = null;
  #timeout = pollTimeout;
  #badRequests = 0;
  /** Results that were errors of the server's own. */
  #ownErrors = 0;
  #senseless = 0;
  #billing = 0;

  constructor(options: FutureOptions, call: HeavyCall<T>) {
    this.#options = options;
    this.#call = call;
  }

  async once({ id, roundTrip }: Promised, signal: AbortSignal): Promise<Next<T>> {
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
            ...(roundTrip !== null && { 'x-tinker-create-promise-roundtrip-time': String(roundTrip / 1000) }),
          },
          timeout: this.#timeout,
          accept: ruled,
          tries: 1,
        },
        signal,
      );
    } catch (error) {
      // The answer was no HTTP, or not the gzip that it claimed to be.
      if (EndpointError.is(error, 'malformed')) return this.#again(() => error);
      if (!EndpointError.is(error, 'unreachable')) throw error;
      const late = error.cause instanceof BrokenExchange && error.cause.kind === 'late';
      if (late && this.#timeout !== longPollTimeout) {
        // The connection stood: the server may hold polls for longer.
        this.#timeout = longPollTimeout;
        return { pause: 0 };
      }
      if (!this.#mayFail()) throw error;
      return { pause: late ? 0 : backOff(this.#failures - 1) };
    }
    return answer.status === 200 ? this.#succeeded(answer) : this.#refused(answer);
  }

  /** Counts a failure; whether the server is asked again. */
  #mayFail(): boolean {
    const { triesUnreachable, now = (): number => machineTime.now() } = this.#options;
    this.#failures += 1;
    this.#failing ??= now();
    return triesUnreachable === undefined ? now() - this.#failing < patience : this.#failures <= triesUnreachable;
  }

  /** A sign that the server is there. */
  #heard(): void {
    this.#failures = 0;
    this.#failing = null;
  }

  error(reason: EndpointErrorReason, what: string, remedy: string, status?: number): EndpointError {
    const { url } = this.#options.http;
    const facts = { endpoint: url, request: this.#call.name, attempts: this.#asked, remedy };
    return new EndpointError(reason, what, status === undefined ? facts : { ...facts, status });
  }

  #succeeded(answer: HttpAnswer): Next<T> {
    if (!isJson(answer)) return this.#read(answer);
    this.#heard();
    const value = parseSaid(answer.body.toString('utf8'));
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
    if (!failed.success) return this.#read(answer);
    const { error, category } = failed.data;
    if (saysLost(error)) throw this.#lost(error);
    // The server's own fault may pass; what it calls ours would fail again.
    if (category !== 'user' && this.#ownErrors < believed.resubmit) {
      this.#ownErrors += 1;
      return { resubmit: true };
    }
    const reason = category === 'user' ? 'refused' : 'failed';
    throw this.error(reason, l10n.t('the server said: {0}', error), l10n.t('See the message; fix the cause.'));
  }

  #lost(said: string, status?: number): EndpointError {
    const remedy = l10n.t(
      'It may have been restarted. Resume the run: what it needs is made again from its last checkpoint.',
    );
    return this.error('gone', l10n.t('the server no longer has what the request needs: {0}', said), remedy, status);
  }

  #tellQueue({ queue_state, queue_state_reason }: QueueWord): void {
    if (queue_state !== 'active') this.#options.onQueue(queue_state ?? 'waiting', queue_state_reason ?? '');
  }

  #refused({ status, headers, body }: HttpAnswer): Wait {
    const text = body.toString('utf8');
    const said = text.slice(0, 300);
    if (status < 429) this.#heard();
    if (status === 408) {
      const word = queueWordSchema.safeParse(parseSaid(text)).data;
      if ((word?.queue_state ?? null) !== null && word !== undefined) this.#tellQueue(word);
      return { pause: 0 };
    }
    if (status === 406 && !this.#options.accept().includes('protobuf')) {
      this.#options.onUnacceptable();
      return { pause: 0 };
    }
    // A server that began again may not even know that it forgot.
    if (status === 410 || status === 404) return { resubmit: true };
    if (status !== 402 && status !== 429 && saysLost(said)) throw this.#lost(said, status);
    if (status === 402) {
      this.#billing += billingPause;
      this.#options.onQueue('billing', said);
      if (this.#billing < this.#options.longestBillingPause()) return { pause: billingPause };
      throw this.error('billing', l10n.t('the account is not paid for'), l10n.t('Settle the bill.'), status);
    }
    if (status === 400 || status === 406) {
      this.#badRequests += 1;
      if (status === 400 && this.#badRequests <= believed.badRequest) return { pause: backOff(this.#badRequests) };
      throw this.error(
        'refused',
        l10n.t('the request was refused: {0}', said),
        l10n.t('See the message for what does not fit.'),
        status,
      );
    }
    if (this.#mayFail()) {
      if (status === 429) return { pause: retryAfter(headers) ?? backOff(this.#failures) };
      const often = this.#failures - atOnce.failures;
      return { pause: often <= 0 ? atOnce.pause : backOff(often) };
    }
    const reason = status === 429 ? 'overloaded' : 'failed';
    throw this.error(
      reason,
      l10n.t('the server answered {0}: {1}', status, said),
      l10n.t('Resume the run once it works again.'),
      status,
    );
  }

  #read(answer: HttpAnswer): Next<T> {
    try {
      return { result: this.#call.read(answer) };
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      return this.#again(() => {
        const { what, status } = failureOfContent(answer, error);
        const remedy =
          this.#call.remedy ?? l10n.t('Check that a server of the Tinker protocol answers at this address.');
        return this.error('malformed', what, remedy, status);
      });
    }
  }

  /** Spoilt on its way, it comes whole another time; spoilt where it is kept, the request may be answered anew. */
  #again(error: () => EndpointError): Wait {
    this.#senseless += 1;
    const { fetches, promises } = senseless;
    if (this.#senseless >= fetches * promises) throw error();
    const fetched = this.#senseless % fetches;
    return fetched === 0 ? { resubmit: true } : { pause: backOff(fetched - 1) };
  }
}
