/** A fault worked into an answer: before the work is done, or on its way back. */
import { setTimeout as after } from 'node:timers/promises';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import type { Fault } from './faults.ts';
import { spoil } from './spoil.ts';

/** A reply, and its fate at the socket. */
export interface Outcome {
  /** Null: the connection just ends. */
  reply: Reply | null;
  delivery: 'whole' | 'truncated' | 'slow-loris';
}

export interface Doings {
  answer: () => Promise<Reply>;
  restart: () => Promise<void>;
  /** Forgets a promise for now. */
  hide: (id: string) => void;
}

const whole = (reply: Reply | null): Outcome => ({ reply, delivery: 'whole' });

const json = (status: number, detail: string, headers: Record<string, string> = {}): Outcome =>
  whole({ kind: 'json', status, value: { detail }, headers });

const proxyPage = '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>';

/** How late a late answer is. */
const slowMilliseconds = 1500;

export async function injectFault(fault: Fault, call: Call, { answer, restart, hide }: Doings): Promise<Outcome> {
  switch (fault) {
    case '429':
      return json(429, 'Too many requests.', { 'retry-after-ms': '20' });
    case '408':
      return json(408, 'Not done yet. Ask again.');
    case '500':
      return json(500, 'Something went wrong.');
    case '401':
      return json(401, 'The key has expired.');
    case '402':
      return json(402, 'The account is out of credit.');
    case '410':
      hide(requestId(call));
      return whole(await answer());
    case 'html':
      return whole({ kind: 'bytes', status: 502, type: 'text/html', bytes: new TextEncoder().encode(proxyPage) });
    case 'drop-before':
      return whole(null);
    case 'drop-after':
      await answer();
      return whole(null);
    case 'restart':
      await restart();
      return whole(null);
    case 'slow-future':
      await after(slowMilliseconds);
      return whole(await answer());
    case 'wrong-count':
    case 'nan':
      return whole(spoil(await answer(), fault));
    case 'truncated':
    case 'slow-loris':
      return { reply: await answer(), delivery: fault };
  }
}

function requestId({ body }: Call): string {
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  return typeof value === 'object' && value !== null && 'request_id' in value ? String(value.request_id) : '';
}
