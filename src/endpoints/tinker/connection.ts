/** One session with a Tinker server: made, kept alive, made again when it is lost; calls checked against their schemas. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Log } from '../../engine/ports.ts';
import type * as z from 'zod';
import { EndpointError } from '../endpointError.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';
import { sleep, unlessAborted, type Time } from '../time.ts';
import { ByteRoom } from './byteRoom.ts';
import { readClientConfig, usualConfig, type ClientConfig } from './clientConfig.ts';
import { Futures, type Promised } from './futures.ts';
import type { Ledger } from './ledger.ts';
import { saysLost } from './lost.ts';
import { promiseSchema, sessionSchema } from './wire/replies.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { defined } from '../../shared/defined.ts';

const sdkVersion = '0.25.0';
const heartbeatMs = 10_000;
/** How often a heavy call is sent: about five minutes, what a server needs to come back. */
const submitTries = 16;
/** For so long after a refusal, bytes count so many times: fewer large requests leave at once (§9.4). */
const wary = { milliseconds: 10_000, factor: 20 };
/** Milliseconds without a successful heartbeat after which a warning appears. */
const quietMs = 120_000;

export interface ConnectionOptions {
  http: HttpClient;
  ledger: Ledger;
  log: Log;
  time: Time;
  /** Tries of what finds no server there; as many as usual when absent. */
  triesUnreachable?: number;
  /** Told when the server lets requests wait, and when answers come again. */
  onQueue?: (waits: boolean) => void;
}

/** The body of a heavy call. */
export type Body = Pick<HttpRequest, 'body' | 'headers' | 'leastPause'>;

export interface SubmitOptions {
  /** Bytes that its dispatch takes of the room that all share; none when absent. */
  bytes?: number;
  /** A promise that the server has made for it before: that one is asked for, and only if it is forgotten the call sent. */
  promise?: string | null;
  /** Told of each promise, before its result is asked for. */
  onPromise?: (id: string) => Promise<void>;
  /** The remedy for results that stay useless. */
  remedy?: string;
}

/** A heavy call as its caller sees it: accepted by the server, and later its result. */
export interface Submitted<T> {
  /** The server has the request, and will run it in its order. */
  accepted: Promise<void>;
  result: Promise<T>;
}

export class Connection {
  readonly http: HttpClient;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly futures: Futures;
  readonly #time: Time;
  #config: ClientConfig = usualConfig;
  readonly #dispatch = new ByteRoom(usualConfig.dispatchBytes);
  readonly #results = new ByteRoom(usualConfig.resultBytes);
  #refused = -Infinity;
  #session: Promise<string> | null = null;
  #renewing: Promise<string> | null = null;
  readonly #onQueue: (waits: boolean) => void;
  /** Why requests wait; null while answers come. */
  #queue: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #heard = 0;
  /** Results as protobuf; on once a server refused JSON. */
  #protobuf = false;

  constructor({ http, ledger, log, time, onQueue, triesUnreachable }: ConnectionOptions) {
    this.http = http;
    this.ledger = ledger;
    this.log = log;
    this.#time = time;
    this.#onQueue = onQueue ?? (() => undefined);
    this.futures = new Futures({
      ...defined({ triesUnreachable }),
      http,
      wait: (ms, signal) => this.wait(ms, signal),
      now: () => time.now(),
      accept: () => (this.#protobuf ? 'application/x-protobuf, application/json' : 'application/json'),
      onQueue: (state, reason) => {
        if (this.#queue === state) return;
        log.info(`${http.url}: requests wait (${state}${reason === '' ? '' : `: ${reason}`}).`);
        this.#queue = state;
        this.#onQueue(true);
      },
      onUnacceptable: () => this.useProtobuf(),
      room: this.#results,
      longestBillingPause: () => this.#config.longestBillingPause,
    });
  }

  /** The server's wishes for its clients; the defaults until the session is open. */
  get config(): ClientConfig {
    return this.#config;
  }

  /** The server refused a request because it has too much to do. */
  refused(): void {
    this.#refused = this.#time.now();
  }

  get protobuf(): boolean {
    return this.#protobuf;
  }

  useProtobuf(): void {
    this.#protobuf = true;
  }

  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    return sleep(this.#time, milliseconds, signal);
  }

  /** The session: the one of before when the server still has it. */
  session(signal: AbortSignal): Promise<string> {
    // Opened for all that wait: one of them that gives up ends it for none.
    this.#session ??= this.#open(this.http.closed).catch((error: unknown) => {
      this.#session = null;
      throw error;
    });
    return unlessAborted(this.#session, signal);
  }

  /** Looks for the earlier session on the server, and makes it again where it is missing: once for all callers. */
  renew(signal: AbortSignal): Promise<string> {
    this.#renewing ??= this.#renew(this.http.closed).finally(() => (this.#renewing = null));
    return unlessAborted(this.#renewing, signal);
  }

  /** A light call: its answer is its result. @throws EndpointError, `gone` for what the server does not know any more */
  async ask<T>(request: HttpRequest, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    try {
      return await sendForJson(this.http, request, schema, signal);
    } catch (error) {
      if (!EndpointError.is(error, 'refused') && !EndpointError.is(error, 'failed')) throw error;
      if (error.status === 404 || saysLost(error.message)) throw asGone(error);
      throw error;
    }
  }

  /**
   * A heavy call, submitted now; the result is waited for apart. Every repetition has the same key.
   * @param read throws MalformedAnswer for a result that cannot be used
   */
  submit<T>(
    path: string,
    body: () => Body,
    read: (answer: HttpAnswer) => T,
    signal: AbortSignal,
    { bytes, promise = null, onPromise, remedy }: SubmitOptions = {},
  ): Submitted<T> {
    const idempotencyKey = randomUUID();
    const submit = async (): Promise<Promised> => {
      const leave = bytes === undefined ? null : await this.#dispatch.take(this.#counted(bytes), signal);
      try {
        const began = this.#time.now();
        const request: HttpRequest = { method: 'POST', path, idempotencyKey, tries: submitTries, ...body() };
        const { request_id: id } = await this.ask(request, promiseSchema, signal);
        await onPromise?.(id);
        return { id, roundTrip: this.#time.now() - began };
      } finally {
        leave?.();
      }
    };
    const promised = promise === null ? submit() : Promise.resolve({ id: promise, roundTrip: null });
    const call = { name: `POST ${path}`, type: typeOf(path), submit, read, remedy };
    const result = promised.then(async (made) => {
      const resolved = await this.futures.resolve(call, made, signal);
      if (this.#queue !== null) this.#onQueue(false);
      this.#queue = null;
      return resolved;
    });
    const accepted = promised.then(() => undefined);
    // Callers wait for one of the two, for both, or no longer for any: a rejection must not reach the process.
    for (const promise of [accepted, result]) promise.catch(() => undefined);
    return { accepted, result };
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.http.close();
  }

  #counted(bytes: number): number {
    return this.#time.now() - this.#refused < wary.milliseconds ? bytes * wary.factor : bytes;
  }

  async #open(signal: AbortSignal): Promise<string> {
    this.#config = await readClientConfig(this.http, sdkVersion, signal);
    this.#dispatch.resize(this.#config.dispatchBytes);
    this.#results.resize(this.#config.resultBytes);
    const known = this.ledger.session;
    const session = known !== null && (await this.#alive(known, signal)) ? known : await this.#create(signal);
    this.#heard = this.#time.now();
    this.#timer ??= setInterval(() => void this.#beat(session), heartbeatMs);
    this.#timer.unref();
    return session;
  }

  async #renew(signal: AbortSignal): Promise<string> {
    const session = await this.session(signal);
    if (await this.#alive(session, signal)) return session;
    this.log.warn(`${this.http.url}: the session is gone, as after a restart; it is made again.`);
    this.#forget();
    return this.session(signal);
  }

  async #create(signal: AbortSignal): Promise<string> {
    const made = await this.ask(
      {
        method: 'POST',
        path: '/api/v1/create_session',
        body: { tags: ['genenv'], user_metadata: {}, sdk_version: sdkVersion, type: 'create_session' },
      },
      sessionSchema,
      signal,
    );
    for (const message of [made.info_message, made.warning_message, made.error_message]) {
      if (typeof message === 'string' && message !== '') this.log.warn(`${this.http.url}: ${message}`);
    }
    await this.ledger.add({ type: 'session', id: made.session_id });
    return made.session_id;
  }

  async #alive(session: string, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.http.send({ ...heartbeat(session), accept: [400, 404, 410] }, signal);
    return status < 300;
  }

  /** Never throws: a session that is gone shows in the next call that needs it. */
  async #beat(session: string): Promise<void> {
    try {
      const { status } = await this.http.send({ ...heartbeat(session), accept: [404, 410], tries: 1 });
      if (status < 300) this.#heard = this.#time.now();
      else if (this.#timer !== null) {
        this.log.warn(`${this.http.url}: the session is gone; what needs it is made again.`);
        this.#forget();
      }
    } catch (error) {
      const quiet = this.#time.now() - this.#heard;
      if (quiet < quietMs) return;
      this.#heard = this.#time.now();
      const why = messageOf(error);
      this.log.warn(`${this.http.url}: no heartbeat for ${Math.round(quiet / 1000)} s: ${why}`);
    }
  }

  #forget(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#session = null;
  }
}

function asGone(error: EndpointError): EndpointError {
  const { endpoint, request, attempts } = error;
  return new EndpointError('gone', l10n.t('the server does not know the model, session or weights any more'), {
    ...{ endpoint, request, attempts, status: error.status ?? 404, cause: error },
    remedy: l10n.t('It may have been restarted. Resume the run: what it needs is made again from its last checkpoint.'),
  });
}

/** `…/forward_backward` → `ForwardBackward`, `…/asample` → `Sample`: what servers count requests by. */
function typeOf(path: string): string {
  const words = (path.split('/').at(-1) ?? path).replace(/^asample$/, 'sample').split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const heartbeat = (session: string): HttpRequest => ({
  method: 'POST',
  path: '/api/v1/session_heartbeat',
  body: { session_id: session, type: 'session_heartbeat' },
  timeout: { answer: heartbeatMs, whole: heartbeatMs },
  urgent: true,
});
