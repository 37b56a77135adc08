/**
 * One address, asked through the `openai` package: the calls and their forms are the package's. How a request travels stays
 * ours (retries, waits that all requests share, timeouts, keys that are renewed, words of an error), and an answer counts
 * when it has the form that is expected. The package is loaded with the first request.
 */
import type { OpenAI } from 'openai/client';
import type * as z from 'zod';
import type { HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';

export interface Connection {
  http: HttpClient;
  /** In front of the common calls. */
  api: string;
}

/** One call of the package, before its answer is read. */
export type Call = (client: OpenAI) => { asResponse(): Promise<Response> };

/** The package's own limit, which must never be the one that holds: the longest that a timer can wait. */
const never = 2 ** 31 - 1;

/**
 * Makes one request, as often as it takes.
 * @param tries how often at most; absent: as the connection does
 * @throws EndpointError; the signal's reason when it is aborted, which also closes the socket
 */
export async function ask<T>(
  { http, api }: Connection,
  call: Call,
  schema: z.ZodType<T>,
  { signal, tries }: { signal: AbortSignal; tries?: number | undefined },
): Promise<T> {
  const { OpenAI } = await import('openai/client');
  const base = http.url + api;
  let read: { value: T } | null = null;
  let failed: { error: unknown } | null = null;
  const send = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    try {
      // Its headers stay behind: the key is looked up by us, and nothing is told about this machine.
      const request = {
        path: api + addressOf(url).slice(base.length),
        ...(init.method === 'GET' ? { method: 'GET' as const } : { method: 'POST' as const, ...json(init.body) }),
        ...(tries === undefined ? {} : { tries }),
      };
      read = { value: await sendForJson(http, request, schema, signal) };
      return new Response();
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  const client = new OpenAI({
    ...{ baseURL: base, fetch: send, maxRetries: 0, timeout: never, logLevel: 'off' },
    // All that it would look for in the environment.
    ...{ apiKey: 'none', adminAPIKey: null, organization: null, project: null, webhookSecret: null },
  });
  try {
    await call(client).asResponse();
  } catch (error) {
    throw thrown(failed) ?? error;
  }
  return taken(read);
}

function addressOf(url: string | URL | Request): string {
  if (typeof url === 'string') return url;
  return 'href' in url ? url.href : url.url;
}

/** As the package wrote it. */
function json(body: RequestInit['body']): { body: Buffer; headers: Record<string, string> } {
  if (typeof body !== 'string') throw new Error('Unreachable: these calls have JSON bodies.');
  return { body: Buffer.from(body), headers: { 'content-type': 'application/json' } };
}

const thrown = (failed: { error: unknown } | null): unknown => failed?.error;

function taken<T>(read: { value: T } | null): T {
  if (read === null) throw new Error('Unreachable: what came back was read.');
  return read.value;
}
