/** The HTTP client of an endpoint: retries, back-off that all requests share, keys that are looked up again, words. */
import * as http from 'node:http';
import * as https from 'node:https';
import * as l10n from '@vscode/l10n';
import { EndpointError, type EndpointErrorReason } from '../endpointError.ts';
import { machineTime, sleep, type Time } from '../time.ts';
import { BrokenExchange, exchange, type Trial } from './exchange.ts';
import {
  failureOf,
  failureOfContent,
  failureOfExchange,
  failureOfStandIn,
  isPage,
  isStandIn,
  senselessTries,
  type Failure,
} from './failure.ts';
import { Gate } from './gate.ts';
import {
  MalformedAnswer,
  RefusedAnswer,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  type Listener,
  type Repetition,
  type SendOnce,
} from './httpClient.ts';
import { proxyOptions, type ProxyEnvironment } from './proxies.ts';
import { backOff } from './retryRules.ts';
import { Redactor } from './words.ts';
import { defined } from '../../shared/defined.ts';
import type { Silences } from './silences.ts';
import { Turnstile } from './turnstile.ts';
import { listen } from './webSocket/listen.ts';

/** A try that failed and will be repeated: for the log, and for the limit of requests in flight. */
export interface Trouble {
  request: string;
  attempt: number;
  reason: EndpointErrorReason;
  what: string;
  /** The server has too much to do. */
  refused: boolean;
  /** When the try began, on the client's `time`. */
  began: number;
  /** Milliseconds until the next. */
  delay: number;
}

export interface HttpClientOptions {
  url: string;
  /** The end of the address as people write it that `url` lacks: `/v1`. */
  api?: string;
  /**
   * Headers that prove who asks; they never appear in any text. Asked for once, and `again` after the server refused
   * them: a key may have been renewed.
   */
  credentials?(again: boolean): Promise<Proof>;
  headers?: Readonly<Record<string, string>>;
  /** Name of the header that carries `idempotencyKey`. */
  idempotencyHeader?: string;
  /** Name of a header that counts the repetitions. */
  retryHeader?: string;
  tries?: number;
  /** Tries of what finds no server there; as many as of others when absent. */
  triesUnreachable?: number;
  timeout?: HttpRequest['timeout'];
  /** Connections at once. */
  sockets?: number;
  /** Bytes an answer may have. */
  largestAnswer?: number;
  /** All that the server itself says is JSON. */
  json?: boolean;
  time?: Time;
  /** Names the proxies; the process's when absent. */
  environment?: ProxyEnvironment;
  random?: () => number;
  onTrouble?(trouble: Trouble): void;
  /** Where people can see that it answers nothing. */
  silences?: Silences;
}

/** About three minutes of patience: what a server needs to come back. */
const defaultTries = 10;
/** Requests that begin, and answers that are read, in one turn of the event loop. */
const atOnce = 16;
/** How many questions are asked at once is a scheduler's to say; what asks without one must not use up all files of a process. */
export const usualSockets = 512;
const defaultTimeout = { answer: 120_000, whole: 900_000 };
/** Milliseconds after which a try that fails was a long one. */
const longTry = 300_000;
/** Idle connections found closed that one request forgives: a server that does it each time has another fault. */
const idleEnds = 3;
/** A server that sends less than this in that time is holding the connection, not answering. */
const leastProgress = { bytes: 256, milliseconds: 30_000 };

type Proof = Readonly<Record<string, string>>;
type Try<T> = { done: T } | { request: HttpRequest; failure: Failure; stale: boolean; proof: Proof };

export class NodeHttpClient implements HttpClient, Listener {
  readonly url: string;
  readonly #options: HttpClientOptions;
  readonly #base: URL;
  readonly #agent: http.Agent;
  readonly #tunnelled: boolean;
  readonly #time: Time;
  readonly #random: () => number;
  readonly #gate: Gate;
  readonly #redactor = new Redactor();
  readonly #turnstile = new Turnstile(atOnce);
  readonly #answers = new Turnstile(atOnce);
  readonly #closing = new AbortController();
  #credentials: Promise<Proof> | null = null;
  /** The key is being looked up again. */
  #renewing: Promise<Proof> | null = null;
  #answered = 0;
  /** Requests by their names that were answered well: the address is right. */
  readonly #known = new Set<string>();

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#base = new URL(options.url);
    this.url = `${this.#base.origin}${this.#base.pathname.replace(/\/+$/, '')}`;
    const proxied = proxyOptions(this.#base, options.environment ?? process.env);
    this.#tunnelled = 'proxyEnv' in proxied;
    const pool = {
      ...proxied,
      keepAlive: true,
      maxSockets: options.sockets ?? usualSockets,
      maxFreeSockets: options.sockets ?? usualSockets,
    };
    this.#agent = this.#base.protocol === 'https:' ? new https.Agent(pool) : new http.Agent(pool);
    this.#time = options.time ?? machineTime;
    this.#random = options.random ?? Math.random;
    this.#gate = new Gate(this.#time, this.#random);
  }

  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    const work = async (once: SendOnce): Promise<HttpAnswer> => {
      const answer = await once(request);
      request.check?.(answer);
      return answer;
    };
    return this.repeat(work, request, signal);
  }

  async *listen(path: string, largest: number, signal: AbortSignal): AsyncGenerator<string, void> {
    const proof = await this.#proof();
    const { url, headers, agent, time } = this.#trial({ method: 'GET', path }, 1, proof, signal);
    const closing = AbortSignal.any([signal, this.#closing.signal]);
    yield* listen({ url, headers, agent, largest, time, signal: closing });
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort(new Error(l10n.t('The client is closed.')));
    this.#agent.destroy();
  }

  /** Tries until it is done, until no further try can help, or until there were enough. */
  async repeat<T>(work: (once: SendOnce) => Promise<T>, repetition: Repetition, signal?: AbortSignal): Promise<T> {
    // Signs of life are asked beside the work: they neither wait for their turn nor say anything of its answers.
    const isWork = repetition.urgent !== true;
    const tries = repetition.tries ?? this.#options.tries ?? defaultTries;
    let counted = 0;
    const alike = new Map<EndpointErrorReason, number>();
    let idle = 0;
    let long = 0;
    let renewed = false;
    let answered = this.#answered;
    let last: { request: HttpRequest; failure: Failure; attempt: number } | null = null;
    // A time limit says less than what went wrong within it.
    const overdue = (error: unknown): unknown =>
      last === null || !isTimeLimit(error) ? error : this.#error(last.request, last.failure, last.attempt);
    for (let attempt = 1; ; attempt++) {
      try {
        if (isWork) await this.#gate.pass(signal, this.#closing.signal);
      } catch (error) {
        throw overdue(error);
      }
      if (isWork) await this.#turnstile.pass();
      const began = this.#time.now();
      const outcome = await this.#try(work, attempt, signal);
      if ('done' in outcome) {
        if (isWork) {
          this.#answered += 1;
          this.#options.silences?.over(this.url);
          this.#gate.answered(began);
        }
        return outcome.done;
      }
      const { request, failure, proof } = outcome;
      const stale = outcome.stale && ++idle <= idleEnds;
      last = { request, failure, attempt };
      // Most of a refused crowd waits for its turn: that is no failure while others are answered.
      const waiting = tries > 1 && failure.refused && answered !== this.#answered && attempt < 5 * tries;
      answered = this.#answered;
      if (!waiting && !stale) {
        counted += 1;
        alike.set(failure.reason, (alike.get(failure.reason) ?? 0) + 1);
      }
      if (!failure.refused && this.#time.now() - began >= longTry) long += 1;
      if (failure.status === 401 && !renewed && (await this.#renewed(proof))) {
        renewed = true;
        continue;
      }
      // One that has answered well before is no wrong address: a proxy in its way has a bad minute.
      const away = failure.reason === 'unreachable' ? (this.#options.triesUnreachable ?? Infinity) : Infinity;
      const most = failure.tries === senselessTries && this.#answered > 0 ? Infinity : failure.tries;
      // A limit of one kind counts that kind alone: lost connections are no sign of a wrong address.
      const isEnough =
        counted >= tries ||
        (alike.get(failure.reason) ?? 0) >= Math.min(most, away) ||
        long >= (repetition.longTries ?? Infinity);
      if (isEnough || this.#closing.signal.aborted) {
        // Nothing waits for it: it may have been a question that this server need not answer.
        if (isWork) this.#options.silences?.over(this.url);
        throw this.#error(request, failure, attempt);
      }
      const delay = failure.refused
        ? this.#gate.close(began, failure.after, repetition.leastPause)
        : stale
          ? 0
          : (failure.after ?? backOff(counted - 1, this.#random));
      const what = this.#redactor.clean(failure.what);
      if (isWork) this.#options.silences?.failed(this.url, what);
      this.#options.onTrouble?.({
        request: nameOf(request),
        attempt,
        reason: failure.reason,
        what,
        refused: failure.refused,
        began,
        delay,
      });
      try {
        if (delay > 0) await sleep(this.#time, delay, signal, this.#closing.signal);
      } catch (error) {
        throw overdue(error);
      }
    }
  }

  async #try<T>(
    work: (once: SendOnce) => Promise<T>,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<Try<T>> {
    const failed: { now?: Extract<Try<T>, { request: HttpRequest }> } = {};
    const asked: { now?: { request: HttpRequest; answer: HttpAnswer; proof: Proof } } = {};
    const once: SendOnce = async (request) => {
      const proof = await this.#proof();
      const trial = this.#trial(request, attempt, proof, signal);
      const began = this.#time.now();
      try {
        const answer = await exchange(trial);
        // A thousand that are there together are read one after the other, others' work between them.
        await this.#answers.pass();
        asked.now = { request, answer, proof };
        const standIn = this.#isStandIn(request, answer);
        if (!standIn && this.#accepts(request, answer.status)) return answer;
        const { url } = this;
        const place = { url, path: request.path, api: this.#options.api };
        const failure = standIn ? failureOfStandIn(answer, place) : failureOf(answer, place);
        failed.now = { request, failure, stale: false, proof };
        throw new RefusedAnswer(answer, this.#time.now() - began);
      } catch (error) {
        if (error instanceof BrokenExchange)
          failed.now = { request, failure: failureOfExchange(error, request.late), stale: error.stale, proof };
        throw error;
      }
    };
    try {
      return { done: await work(once) };
    } catch (error) {
      // The package that made the request may have put its own error around ours.
      if (failed.now !== undefined) return failed.now;
      if (!(error instanceof MalformedAnswer) || asked.now === undefined) throw error;
      const { request, answer, proof } = asked.now;
      return { request, failure: failureOfContent(answer, error), stale: false, proof };
    }
  }

  #accepts(request: HttpRequest, status: number): boolean {
    return isSuccess(status) || request.accept?.includes(status) === true;
  }

  #isStandIn(request: HttpRequest, answer: HttpAnswer): boolean {
    const { status, body } = answer;
    const name = nameOf(request);
    if (isSuccess(status) && !isPage(body)) this.#known.add(name);
    const redirectAccepted = status < 400 && this.#accepts(request, status);
    return !redirectAccepted && this.#known.has(name) && isStandIn(answer, this.#options.json === true);
  }

  #trial(request: HttpRequest, attempt: number, proof: Proof, signal: AbortSignal | undefined): Trial {
    const body = bodyOf(request.body);
    const { idempotencyHeader = 'Idempotency-Key', retryHeader, headers, largestAnswer } = this.#options;
    const timeout = request.timeout ?? this.#options.timeout ?? defaultTimeout;
    const url = new URL(this.url + request.path);
    for (const [name, value] of this.#base.searchParams) url.searchParams.set(name, value);
    return {
      url,
      method: request.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'genenv',
        ...(body !== null && !Buffer.isBuffer(request.body) && { 'content-type': 'application/json' }),
        ...headers,
        ...proof,
        ...(request.idempotencyKey !== undefined && { [idempotencyHeader]: request.idempotencyKey }),
        ...(retryHeader !== undefined && { [retryHeader]: String(attempt - 1) }),
        ...request.headers,
      },
      body,
      ...{ agent: this.#agent, tunnelled: this.#tunnelled },
      timeout,
      leastProgress: request.streamed === true ? { bytes: 1, milliseconds: timeout.answer } : leastProgress,
      largest: largestAnswer ?? 256 * 1024 * 1024,
      time: this.#time,
      signal,
    };
  }

  async #proof(again = false): Promise<Proof> {
    if (this.#options.credentials === undefined) return {};
    this.#credentials ??= this.#options.credentials(again);
    try {
      const proof = await this.#credentials;
      for (const value of Object.values(proof)) this.#redactor.add(value);
      return proof;
    } catch (error) {
      this.#credentials = null;
      throw error;
    }
  }

  /** Whether there is another key than the one that was sent. All that are refused with one key share one look. */
  async #renewed(sent: Proof): Promise<boolean> {
    if (this.#options.credentials === undefined) return false;
    const isOther = (proof: Proof): boolean => JSON.stringify(proof) !== JSON.stringify(sent);
    if (this.#renewing === null && isOther(await this.#proof())) return true;
    this.#renewing ??= this.#lookUpAgain();
    return isOther(await this.#renewing);
  }

  async #lookUpAgain(): Promise<Proof> {
    this.#credentials = null;
    try {
      return await this.#proof(true);
    } finally {
      this.#renewing = null;
    }
  }

  #error(request: HttpRequest, failure: Failure, attempts: number): EndpointError {
    return new EndpointError(failure.reason, this.#redactor.clean(failure.what), {
      endpoint: this.url,
      request: nameOf(request),
      attempts,
      remedy: failure.remedy,
      ...defined({ status: failure.status, cause: failure.cause }),
    });
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** `POST /api/v1/asample`, without a query: it may hold a key. */
const nameOf = ({ method, path }: HttpRequest): string => `${method} ${path.split('?')[0] ?? path}`;

/** Of `AbortSignal.timeout`. */
const isTimeLimit = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

function bodyOf(body: unknown): Buffer | null {
  if (body === undefined) return null;
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}
