/**
 * One address, asked through one client of the `openai` package: it writes requests, and it reads answers, errors and
 * streams. Its `fetch` is one try of ours (sockets, time limits, keys). Retries and the waits that all requests share stand
 * around the whole call, since an answer counts when it was read and has the form that is expected.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as l10n from '@vscode/l10n';
import type { OpenAI } from 'openai/client';
import type * as z from 'zod';
import { defined } from '../../shared/defined.ts';
import { bodyText } from '../http/bodyText.ts';
import { BrokenExchange } from '../http/exchange.ts';
import {
  MalformedAnswer,
  RefusedAnswer,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  type SendOnce,
} from '../http/httpClient.ts';
import { checked } from '../http/json.ts';
import { longTries, patienceFor } from './patience.ts';
import { inOneChunk, withEnd } from './stream/streamed.ts';
import { unreadable } from './written.ts';

/** One call of the package; `streamed`: its answer is to come token by token, if it can. */
export type Call = (client: OpenAI, streamed: boolean) => PromiseLike<unknown>;

/** Statuses of proxies that did not wait long enough for the first byte. */
const impatient = new Set([504, 524]);
/**
 * The shortest that they are set to wait, in milliseconds; sooner it is a server that is away for a moment. Those that close
 * without a word wait for minutes.
 */
const shortestPatience = { said: 10_000, silent: 60_000 };

/** The package's own limit, which must never be the one that holds: the longest that a timer can wait. */
const never = 2 ** 31 - 1;

export class Connection {
  readonly http: HttpClient;
  /** In front of the common calls. */
  readonly api: string;
  /** The try that a request of the client belongs to. */
  readonly #try = new AsyncLocalStorage<{ once: SendOnce; tokens: number | undefined }>();
  #client: Promise<OpenAI> | null = null;
  /** Whether something does not wait for whole answers: a proxy in between, or we ourselves. */
  #streams = false;

  constructor(http: HttpClient, api: string) {
    this.http = http;
    this.api = api;
  }

  /**
   * Makes one call, as often as it takes.
   * @param tries how often at most; absent: as the HTTP client does
   * @param tokens that the answer may have, where it is one of a model: it may take as long as these do
   * @throws EndpointError; the signal's reason when it is aborted, which also closes the socket
   */
  async ask<T>(
    call: Call,
    schema: z.ZodType<T>,
    { signal, tries, tokens }: { signal: AbortSignal; tries?: number | undefined; tokens?: number },
  ): Promise<T> {
    // Loaded with the first request.
    this.#client ??= this.#open();
    const client = await this.#client;
    const work = async (once: SendOnce): Promise<T> =>
      checked(await this.#try.run({ once, tokens }, () => read(client, call, this.#streams)), schema, unreadable);
    return this.http.repeat(work, { ...defined({ tries }), ...(tokens !== undefined && { longTries }) }, signal);
  }

  async #open(): Promise<OpenAI> {
    const { OpenAI } = await import('openai/client');
    return new OpenAI({
      ...{ baseURL: this.http.url + this.api, maxRetries: 0, timeout: never, logLevel: 'off' },
      fetch: (url, init = {}) => this.#fetch(url, init),
      // All that it would look for in the environment.
      ...{ apiKey: 'none', adminAPIKey: null, organization: null, project: null, webhookSecret: null },
    });
  }

  async #fetch(url: string | URL | Request, init: RequestInit): Promise<Response> {
    const asked = this.#try.getStore();
    if (asked === undefined) throw new Error('Unreachable: every call is made in a try.');
    const request = this.#request(url, init, asked.tokens);
    try {
      const answer = await asked.once(request);
      // The package would decode it with replacement characters.
      bodyText(answer);
      return responseOf(request.streamed === true ? { ...answer, body: withEnd(inOneChunk(answer.body)) } : answer);
    } catch (error) {
      this.#streams ||= asked.tokens !== undefined && endedWaiting(error);
      if (!(error instanceof RefusedAnswer)) throw error;
      return responseOf(error.answer);
    }
  }

  #request(
    url: string | URL | Request,
    { method = 'GET', headers, body }: RequestInit,
    tokens: number | undefined,
  ): HttpRequest {
    const path = addressOf(url).slice(this.http.url.length);
    // The others are the environment's (OPENAI_CUSTOM_HEADERS), tell of this machine, or hold a key, which is looked up by us.
    const accept = new Headers(headers).get('accept') ?? 'application/json';
    if (method === 'GET') return { method, path, headers: { accept } };
    if (method !== 'POST' || typeof body !== 'string') throw new Error('Unreachable: these calls post JSON.');
    const posted = { accept, 'content-type': 'application/json' };
    const patience = tokens === undefined ? {} : patienceFor(tokens, this.#streams);
    return { method, path, headers: posted, body: Buffer.from(body), streamed: this.#streams, ...patience };
  }
}

/** Whether a wait for an answer was ended that may still have come. */
function endedWaiting(error: unknown): boolean {
  if (error instanceof RefusedAnswer) return impatient.has(error.answer.status) && error.took >= shortestPatience.said;
  if (!(error instanceof BrokenExchange)) return false;
  return error.kind === 'late' || (error.kind === 'cut' && error.took >= shortestPatience.silent);
}

/** Servers forget to say that their JSON is JSON, which the package would take for text. */
const responseOf = ({ status, body }: HttpAnswer): Response =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } });

/** @throws MalformedAnswer for what the package cannot read; what our `fetch` threw, which the package wraps */
async function read(client: OpenAI, call: Call, streamed: boolean): Promise<unknown> {
  const { OpenAI } = await import('openai/client');
  try {
    return await call(client, streamed);
  } catch (error) {
    if (error instanceof SyntaxError) throw new MalformedAnswer(l10n.t('no whole JSON'));
    // It looks into some answers before we do: `null` in place of a list.
    if (error instanceof TypeError) throw new MalformedAnswer(l10n.t('its JSON is not as expected'), { cause: error });
    if (error instanceof OpenAI.APIConnectionError && error.cause instanceof Error) throw error.cause;
    // With a status it is known already; in the middle of a stream it has none.
    if (error instanceof OpenAI.APIError) throw new MalformedAnswer(l10n.t('it broke off: {0}', error.message));
    throw error;
  }
}

function addressOf(url: string | URL | Request): string {
  if (typeof url === 'string') return url;
  return 'href' in url ? url.href : url.url;
}
