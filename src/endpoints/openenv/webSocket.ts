/** A WebSocket of questions and answers, one at a time. */
import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { BrokenExchange } from '../http/exchange.ts';
import { proxyOptions } from '../http/proxies.ts';
import { closeFrame, FrameFault, FrameReader, pongFrame, textFrame } from '../http/webSocket/frames.ts';
import { shakeHands, type Handshake } from '../http/webSocket/handshake.ts';
import { mask } from '../http/webSocket/mask.ts';
import { reasonOf, type Time } from '../time.ts';

interface Dialled extends Omit<Handshake, 'agent'> {
  /** Bytes a message may have. */
  largest: number;
}

/** Most unrequested messages that are kept: a server of this protocol sends at most one, before it closes. */
const mostUnasked = 8;
/** Milliseconds that a server has to end its side. */
const farewell = 5000;

/** @throws BrokenExchange; RefusedAnswer with what was said in the place of agreeing; the signal's reason */
export async function dial({ largest, ...handshake }: Dialled): Promise<WebSocketLine> {
  const { url, time } = handshake;
  const proxied = proxyOptions(url, process.env);
  const agent = url.protocol === 'https:' ? new https.Agent(proxied) : new http.Agent(proxied);
  const { socket, head } = await shakeHands({ ...handshake, agent });
  return new WebSocketLine(socket, head, largest, time);
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
    socket.on('error', (error) =>
      this.#end(new BrokenExchange('cut', l10n.t('the connection broke ({0})', error.message))),
    );
    socket.on('close', () => {
      this.#end(new BrokenExchange('cut', l10n.t('the connection ended')));
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
        reject(new BrokenExchange('late', l10n.t('no answer within {0} s', Math.round(patience / 100) / 10)));
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
          if (this.#arrived.length > mostUnasked)
            throw new FrameFault('protocol', l10n.t('messages without a question'));
          this.#wake?.();
        } else if (received.type === 'ping') this.#socket.write(pongFrame(received.payload, mask()));
        else this.#leave(received.code, received.reason);
      }
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.#end(error.broken);
      this.#socket.destroy();
    }
  }

  /** The server closes: answers with a close frame, as the protocol requires, and drops the socket. */
  #leave(code: number | null, reason: string): void {
    if (this.#over) return;
    this.#over = true;
    const said = [...(code === null ? [] : [String(code)]), ...(reason === '' ? [] : [reason])].join(': ');
    this.#end(new BrokenExchange('cut', l10n.t('it ended the connection{0}', said === '' ? '' : ` (${said})`)));
    if (this.#socket.writable) this.#socket.end(closeFrame(mask()));
  }

  #end(fault: BrokenExchange): void {
    this.#fault ??= fault;
    this.#wake?.();
  }
}
