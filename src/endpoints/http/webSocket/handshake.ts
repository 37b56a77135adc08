/**
 * A WebSocket (RFC 6455) on Node's own sockets: the built-in client tells neither why a connection failed nor lets anyone
 * bound what a server sends before it is in memory, and takes neither an agent nor proxies.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { reasonOf, type Time } from '../../time.ts';
import { BrokenExchange, brokenSocket } from '../exchange.ts';
import { RefusedAnswer } from '../httpClient.ts';

export interface Handshake {
  /** `http:` or `https:`. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  agent: http.Agent;
  /** Milliseconds until the server has agreed. */
  patience: number;
  time: Time;
  signal: AbortSignal | undefined;
}

/** The constant of RFC 6455 that both sides hash. */
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const longestRefusal = 64 * 1024;

/**
 * @returns the socket, and what came with the agreement
 * @throws BrokenExchange; RefusedAnswer with what was said in the place of agreeing; the signal's reason
 */
export function shakeHands(handshake: Handshake): Promise<{ socket: Duplex; head: Buffer }> {
  const { url, headers, agent, patience, time, signal } = handshake;
  if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
  const key = randomBytes(16).toString('base64');
  const began = time.now();
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      agent,
      headers: {
        'user-agent': 'genenv',
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': key,
        'sec-websocket-version': '13',
      },
    });
    let connected = false;
    const giveUp = (error: Error): void => {
      leave();
      request.destroy();
      reject(error);
    };
    const onAbort = (): void => giveUp(signal === undefined ? new Error('aborted') : reasonOf(signal));
    const late = (): void =>
      giveUp(new BrokenExchange('connect', l10n.t('no WebSocket within {0} s', Math.round(patience / 100) / 10)));
    const stop = time.after(patience, late);
    const leave = (): void => {
      stop();
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    request.once('socket', (socket) => {
      // A socket that the agent kept is connected already.
      connected = !socket.connecting;
      socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
    });
    request.on('error', (error) => giveUp(brokenSocket(error, connected, false, url)));
    request.once('upgrade', ({ headers: agreed }, socket, head) => {
      leave();
      const accepted = createHash('sha1')
        .update(key + magic)
        .digest('base64');
      if (agreed['sec-websocket-accept'] === accepted) {
        resolve({ socket, head });
        return;
      }
      socket.destroy();
      reject(new BrokenExchange('protocol', l10n.t('what it sent is no WebSocket')));
    });
    request.once('response', (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      response.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size <= longestRefusal) pieces.push(piece);
        else response.destroy();
      });
      response.once('close', () => {
        leave();
        const { statusCode: status = 0, headers: said } = response;
        const plain = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)]));
        reject(new RefusedAnswer({ status, headers: plain, body: Buffer.concat(pieces) }, time.now() - began));
      });
    });
    request.end();
  });
}
