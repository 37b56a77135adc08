/**
 * A WebSocket (RFC 6455) on Node's own sockets: the built-in client tells neither why a connection failed nor lets anyone
 * bound what a server sends before it is in memory, and knows no proxies.
 */
import { createHash, randomBytes } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import { BrokenExchange, brokenSocket } from '../http/exchange.ts';
import { RefusedAnswer } from '../http/httpClient.ts';
import { proxyOptions } from '../http/proxies.ts';
import { reasonOf, type Time } from '../time.ts';
import { closeFrame, FrameFault, FrameReader, pongFrame, textFrame } from './frames.ts';

interface Dialled {
  /** `http:` or `https:`. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Bytes a message may have. */
  largest: number;
  /** Milliseconds until the server has agreed. */
  patience: number;
  time: Time;
  signal: AbortSignal | undefined;
}

/** The constant of RFC 6455 that both sides hash. */
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** Most unrequested messages that are kept: a server of this protocol sends at most one, before it closes. */
const mostUnasked = 8;
const longestRefusal = 64 * 1024;
/** Milliseconds that a server has to end its side. */
const farewell = 5000;

/** Unpredictable, as the protocol asks; taken from a thousand at a time, since each call of the generator takes a while. */
let masks = Buffer.alloc(0);
function mask(): Buffer {
  if (masks.length === 0) masks = randomBytes(4096);
  const next = masks.subarray(0, 4);
  masks = masks.subarray(4);
  return next;
}

/** @throws BrokenExchange; RefusedAnswer with what was said in the place of agreeing; the signal's reason */
export function dial({ url, headers, largest, patience, time, signal }: Dialled): Promise<WebSocketLine> {
  if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
  const key = randomBytes(16).toString('base64');
  const began = time.now();
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const proxied = proxyOptions(url, process.env);
    const request = (secure ? https : http).request(url, {
      agent: secure ? new https.Agent(proxied) : new http.Agent(proxied),
      headers: {
        ...headers,
        'user-agent': 'genenv',
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
      giveUp(new BrokenExchange('connect', `no WebSocket within ${Math.round(patience / 100) / 10} s`));
    const stop = time.after(patience, late);
    const leave = (): void => {
      stop();
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    request.once('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true)));
    request.on('error', (error) => giveUp(brokenSocket(error, connected, false, url)));
    request.once('upgrade', ({ headers: agreed }, socket, head) => {
      leave();
      const accepted = createHash('sha1')
        .update(key + magic)
        .digest('base64');
      if (agreed['sec-websocket-accept'] === accepted) {
        resolve(new WebSocketLine(socket, head, largest, time));
        return;
      }
      socket.destroy();
      reject(new BrokenExchange('protocol', 'what it sent is no WebSocket'));
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

/** One question at a time. */
export class WebSocketLine {
  readonly #socket: Duplex;
  readonly #reader: FrameReader;
  readonly #time: Time;
  readonly #arrived: string[] = [];
  readonly #ended = Promise.withResolvers<null>();
  #fault: BrokenExchange | null = null;
  #wake: (() => void) | null = null;
  /** The server has said that it ends. */
  #over = false;

  constructor(socket: Duplex, head: Buffer, largest: number, time: Time) {
    this.#socket = socket;
    this.#reader = new FrameReader(largest);
    this.#time = time;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#end(new BrokenExchange('cut', `the connection broke (${error.message})`)));
    socket.on('close', () => {
      this.#end(new BrokenExchange('cut', 'the connection ended'));
      this.#ended.resolve(null);
    });
    if (head.length > 0) this.#take(head);
  }

  /** Resolves when the connection is closed, by either side. */
  get ended(): Promise<null> {
    return this.#ended.promise;
  }

  /** Sends a message and gives the next one of the server. @throws BrokenExchange, also `late`; the signal's reason */
  async ask(text: string, patience: number, signal?: AbortSignal): Promise<string> {
    this.tell(text);
    return this.next(patience, signal);
  }

  /** Without an answer. What cannot be sent any more shows with the next question. */
  tell(text: string): void {
    if (this.#socket.writable) this.#socket.write(textFrame(text, mask()));
  }

  async next(patience: number, signal?: AbortSignal): Promise<string> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) return arrived;
    if (this.#fault !== null) throw this.#fault;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        stop();
        signal?.removeEventListener('abort', onAbort);
        this.#wake = null;
      };
      const stop = this.#time.after(patience, () => {
        leave();
        reject(new BrokenExchange('late', `no answer within ${Math.round(patience / 100) / 10} s`));
      });
      const onAbort = (): void => {
        leave();
        reject(signal === undefined ? new Error('aborted') : reasonOf(signal));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#wake = () => {
        leave();
        resolve();
      };
    });
    return this.next(patience, signal);
  }

  /**
   * Says goodbye in the server's own words, and resolves when it has ended its side, or has not for five seconds. A close
   * frame of ours would be answered at once, by who knows nothing of what the server still has to clear away.
   */
  async close(goodbye: string): Promise<void> {
    this.tell(goodbye);
    const stop = this.#time.after(farewell, () => this.#socket.destroy());
    await this.#ended.promise;
    stop();
  }

  #take(chunk: Buffer): void {
    if (this.#fault !== null) return;
    try {
      for (const received of this.#reader.read(chunk)) {
        if (received.type === 'text') {
          this.#arrived.push(received.text);
          if (this.#arrived.length > mostUnasked) throw new FrameFault('protocol', 'messages without a question');
          this.#wake?.();
        } else if (received.type === 'ping') this.#socket.write(pongFrame(received.payload, mask()));
        else this.#leave(received.code, received.reason);
      }
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.#end(
        new BrokenExchange(error.kind, error.kind === 'size' ? error.message : `what it sent is ${error.message}`),
      );
      this.#socket.destroy();
    }
  }

  /** The server closes: answers with a close frame, as the protocol requires, and drops the socket. */
  #leave(code: number | null, reason: string): void {
    if (this.#over) return;
    this.#over = true;
    const said = [...(code === null ? [] : [String(code)]), ...(reason === '' ? [] : [reason])].join(': ');
    this.#end(new BrokenExchange('cut', `it ended the connection${said === '' ? '' : ` (${said})`}`));
    if (this.#socket.writable) this.#socket.end(closeFrame(mask()));
  }

  #end(fault: BrokenExchange): void {
    this.#fault ??= fault;
    this.#wake?.();
  }
}
