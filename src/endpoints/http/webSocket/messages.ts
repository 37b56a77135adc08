/** A WebSocket that is only listened to, opened through the agent of our HTTP client: its proxies, its rules of certificates. */
import { createHash, randomBytes } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import { reasonOf, type Time } from '../../time.ts';
import { BrokenExchange, brokenSocket } from '../exchange.ts';
import { controlFrame, FrameReader, WrongFrame } from './frames.ts';

export interface Listening {
  /** With `http:` or `https:`. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  agent: http.Agent;
  /** Bytes that a message may have. */
  largest: number;
  time: Time;
  signal: AbortSignal;
}

/** The server, or a proxy before it, answers but opens no WebSocket. */
export class NoWebSocket extends Error {
  override readonly name = 'NoWebSocket';
  readonly status: number;
  /** The beginning of what it answered. */
  readonly said: string;

  constructor(status: number, said: string) {
    super(`status ${status} instead of a WebSocket`);
    this.status = status;
    this.said = said;
  }
}

const openingTime = 30_000;
/** TCP finds out that the other end is gone: a quiet job sends nothing for hours. */
const keepAlive = 30_000;
const longestRefusal = 2_000;
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Texts, one a message, until the server closes. @throws NoWebSocket; BrokenExchange when the connection fails or breaks;
 * WrongFrame; the signal's reason
 */
export async function* listen(listening: Listening): AsyncGenerator<Buffer, void> {
  const { socket, head } = await open(listening);
  const { signal, largest } = listening;
  const reader = new FrameReader(largest);
  const abort = (): void => {
    socket.destroy(reasonOf(signal));
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    for await (const piece of piecesOf(head, socket)) {
      for (const frame of reader.push(piece)) {
        if (frame.type === 'text') yield frame.bytes;
        else if (frame.type === 'ping') socket.write(controlFrame('pong', frame.bytes));
        else {
          socket.end(controlFrame('close', Buffer.alloc(0)));
          return;
        }
      }
    }
    throw new BrokenExchange('cut', 'the WebSocket ended without a close');
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal);
    if (error instanceof WrongFrame || error instanceof BrokenExchange || !(error instanceof Error)) throw error;
    throw brokenSocket(error, true, false, listening.url);
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

async function* piecesOf(head: Buffer, socket: Duplex): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for await (const piece of socket) if (Buffer.isBuffer(piece)) yield piece;
}

/** Shakes hands. */
function open({ url, headers, agent, time, signal }: Listening): Promise<{ socket: Duplex; head: Buffer }> {
  if (signal.aborted) return Promise.reject(reasonOf(signal));
  const key = randomBytes(16).toString('base64');
  const expected = createHash('sha1')
    .update(key + magic)
    .digest('base64');
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      ...{ method: 'GET', agent },
      headers: {
        ...headers,
        ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': key },
      },
    });
    const giveUp = (error: Error): void => {
      settle();
      request.destroy();
      reject(error);
    };
    const onAbort = (): void => giveUp(reasonOf(signal));
    const late = time.after(openingTime, () =>
      giveUp(new BrokenExchange('late', `no WebSocket within ${openingTime / 1000} s`)),
    );
    const settle = (): void => {
      late();
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    // Errors after the first change nothing.
    request.on('error', (error) => giveUp(brokenSocket(error, request.socket?.connecting === false, false, url)));
    request.on('upgrade', (response, socket, head) => {
      settle();
      socket.on('error', () => undefined);
      if (response.headers['sec-websocket-accept'] !== expected) {
        socket.destroy();
        reject(new NoWebSocket(response.statusCode ?? 101, 'the handshake of another'));
        return;
      }
      if ('setKeepAlive' in socket && typeof socket.setKeepAlive === 'function') socket.setKeepAlive(true, keepAlive);
      resolve({ socket, head });
    });
    request.on('response', (response) => {
      let said = '';
      const end = (): void => giveUp(new NoWebSocket(response.statusCode ?? 0, said.slice(0, longestRefusal)));
      response.on('data', (piece: Buffer) => {
        said += piece.toString();
        if (said.length > longestRefusal) end();
      });
      response.on('end', end).on('error', end);
    });
    request.end();
  });
}
