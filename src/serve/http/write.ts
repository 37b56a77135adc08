/** A reply onto the socket, well or badly. */
import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { Outcome } from '../faults/injectFault.ts';
import { bytesOf, type Reply } from './reply.ts';

/** Between two bytes of an answer that never ends, and how many come before the socket is closed all the same. */
const drip = { milliseconds: 200, bytes: 600 };

export async function write(response: ServerResponse, { reply, delivery }: Outcome): Promise<void> {
  if (response.destroyed) return;
  if (reply === null) {
    response.destroy();
    return;
  }
  if (reply.kind === 'events') {
    writeEvents(response, reply);
    return;
  }
  const { type, bytes } = bytesOf(reply);
  const headers = 'headers' in reply ? (reply.headers ?? {}) : {};
  const sent = delivery === 'truncated' ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
  response.writeHead(reply.status, {
    ...(type !== null && { 'content-type': type }),
    'content-length': sent.length,
    ...headers,
  });
  if (delivery !== 'slow-loris') {
    response.end(sent);
    return;
  }
  for (const byte of sent.subarray(0, Math.min(drip.bytes, sent.length - 1))) {
    if (response.closed) return;
    response.write(Uint8Array.of(byte));
    await after(drip.milliseconds);
  }
  response.destroy();
}

function writeEvents(response: ServerResponse, { events }: Extract<Reply, { kind: 'events' }>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of events) response.write(`data: ${event}\n\n`);
  response.end();
}
