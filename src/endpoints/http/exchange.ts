/**
 * One try of one request on one socket. Every way in which an answer can fail to come whole ends here: no connection, no
 * first byte in time, bytes that trickle, an early end, too much. Giving up closes the socket.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../shared/systemError.ts';
import { reasonOf, type Cancel, type Time } from '../time.ts';
import type { HttpAnswer } from './httpClient.ts';
import { missedProxy, tunnelFault } from './proxies.ts';

export type BrokenKind =
  /** No connection. */
  | 'connect'
  /** The certificate is not trusted. */
  | 'certificate'
  /** A proxy in between opens no way, and will not. */
  | 'proxy'
  /** Nothing in time, or hardly anything. */
  | 'late'
  /** It ended in the middle. */
  | 'cut'
  /** The answer is no HTTP. */
  | 'protocol'
  /** More than was expected of any answer. */
  | 'size';

export class BrokenExchange extends Error {
  override readonly name = 'BrokenExchange';
  readonly kind: BrokenKind;
  /** An idle connection that the server closed just then, as far as can be told: no fault of anybody. */
  readonly stale: boolean;
  /** A proxy in between had the fault. */
  readonly proxied: boolean;
  /** Milliseconds that the try had taken. */
  took = 0;

  constructor(
    kind: BrokenKind,
    message: string,
    options: { stale?: boolean; proxied?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.stale = options.stale ?? false;
    this.proxied = options.proxied ?? false;
  }
}

export interface Trial {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  agent: http.Agent;
  /** Its agent may go through a proxy. */
  tunnelled: boolean;
  /** Milliseconds to the first byte of the answer's content, and for the whole. */
  timeout: { answer: number; whole: number };
  /** Bytes that must come within milliseconds once an answer has begun. */
  leastProgress: { bytes: number; milliseconds: number };
  /** Bytes an answer may have. */
  largest: number;
  time: Time;
  signal: AbortSignal | undefined;
}

interface Opened {
  status: number;
  headers: Record<string, string>;
  /** @throws BrokenExchange; the signal's reason. Must be read to its end or left. */
  chunks: AsyncIterable<Buffer>;
}

const connectTime = 15_000;
/** A connection that breaks later than this after a request began was open until then: the request may be why. */
const staleTime = 1000;
const uploadPiece = 256 * 1024;

/** Sends it and resolves with the head of the answer. */
function open(trial: Trial): Promise<Opened> {
  const { time, signal, timeout } = trial;
  if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
  return new Promise((resolve, reject) => {
    const secure = trial.url.protocol === 'https:';
    const request = (secure ? https : http).request(trial.url, {
      method: trial.method,
      headers: { ...trial.headers, ...(trial.body !== null && { 'content-length': String(trial.body.length) }) },
      agent: trial.agent,
    });
    const timers = new Map<string, Cancel>();
    const stopTimer = (name: string) => {
      timers.get(name)?.();
      timers.delete(name);
    };
    let ended: Error | null = null;
    let settled = false;
    let responded = false;
    const giveUp = (error: Error) => {
      ended ??= error;
      request.destroy(error);
      if (responded) return;
      // A request that still waits for a proxy's way says nothing of its end.
      settle();
      reject(ended);
    };
    const limit = (name: string, milliseconds: number, kind: BrokenKind, words: string, whose = {}) => {
      stopTimer(name);
      if (settled) return;
      timers.set(
        name,
        time.after(milliseconds, () => giveUp(new BrokenExchange(kind, words, whose))),
      );
    };
    const onAbort = () => giveUp(signal === undefined ? new Error('aborted') : reasonOf(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      settled = true;
      for (const name of [...timers.keys()]) stopTimer(name);
      signal?.removeEventListener('abort', onAbort);
    };
    // Node opens the way through a proxy before there is a socket to watch.
    if (secure && trial.tunnelled) {
      const words = l10n.t('no way through the proxy within {0}', inWords(timeout.answer));
      limit('tunnel', timeout.answer, 'connect', words, { proxied: true });
    }
    const awaitAnswer = () =>
      limit('answer', timeout.answer, 'late', l10n.t('no answer within {0}', inWords(timeout.answer)));

    let connected = false;
    let began = Infinity;
    request.once('socket', (socket) => {
      began = time.now();
      stopTimer('tunnel');
      // Only now: waiting for a free socket of our own is not the server's doing.
      limit('whole', timeout.whole, 'late', l10n.t('no whole answer within {0}', inWords(timeout.whole)));
      awaitAnswer();
      if (!socket.connecting) {
        connected = true;
        return;
      }
      limit('connect', connectTime, 'connect', l10n.t('no connection within {0}', inWords(connectTime)));
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
        stopTimer('connect');
      });
    });
    const uploading = () => {
      if (!responded) awaitAnswer();
    };
    request.on('drain', uploading);
    request.once('finish', uploading);
    request.on('error', (error) => {
      settle();
      const stale = request.reusedSocket && time.now() - began < staleTime;
      reject(ended ?? brokenSocket(error, connected, stale, trial.url));
    });
    request.once('response', (response) => {
      responded = true;
      resolve({
        status: response.statusCode ?? 0,
        headers: plain(response.headers),
        chunks: read(response),
      });
    });

    async function* read(response: http.IncomingMessage): AsyncGenerator<Buffer> {
      let size = 0;
      let progress = 0;
      let begun = false;
      const watch = () => {
        progress = 0;
        const { bytes, milliseconds } = trial.leastProgress;
        limit('progress', milliseconds, 'late', l10n.t('less than {0} bytes within {1}', bytes, inWords(milliseconds)));
      };
      try {
        for await (const chunk of response) {
          if (!Buffer.isBuffer(chunk)) continue;
          size += chunk.length;
          if (size > trial.largest) {
            throw new BrokenExchange('size', l10n.t('an answer of more than {0} bytes', trial.largest));
          }
          if (begun) {
            progress += chunk.length;
            if (progress >= trial.leastProgress.bytes) watch();
          } else if (chunk.some((byte) => byte > 0x20)) {
            // Some servers send blank lines while they work, to keep the connection: not an answer yet.
            begun = true;
            stopTimer('answer');
            watch();
          }
          yield chunk;
        }
        if (!response.complete)
          throw new BrokenExchange('cut', l10n.t('the connection ended in the middle of the answer'));
      } catch (error) {
        throw ended ?? (error instanceof BrokenExchange ? error : brokenSocket(asError(error), true, false, trial.url));
      } finally {
        settle();
        if (!response.complete) request.destroy();
      }
    }

    void upload(request, trial.body);
  });
}

/** In pieces, so that a slow line is seen to make progress. */
async function upload(request: http.ClientRequest, body: Buffer | null): Promise<void> {
  for (let at = 0; body !== null && at < body.length; at += uploadPiece) {
    if (request.destroyed) return;
    if (!request.write(body.subarray(at, at + uploadPiece))) await room(request);
  }
  request.end();
}

function room(request: http.ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    // Each pause of a slow reader would leave one of the two behind.
    const go = (): void => {
      request.off('drain', go).off('close', go);
      resolve();
    };
    request.on('drain', go).on('close', go);
    if (request.destroyed) go();
  });
}

/** A whole answer. */
export async function exchange(trial: Trial): Promise<HttpAnswer> {
  const began = trial.time.now();
  try {
    const { status, headers, chunks } = await open(trial);
    const pieces: Buffer[] = [];
    for await (const chunk of chunks) pieces.push(chunk);
    return { status, headers, body: await unpacked(Buffer.concat(pieces), headers['content-encoding'], trial.largest) };
  } catch (error) {
    if (error instanceof BrokenExchange) error.took = trial.time.now() - began;
    throw error;
  }
}

const unpackers = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function unpacked(body: Buffer, encoding: string | undefined, largest: number): Promise<Buffer> {
  const unpack = encoding === undefined ? undefined : unpackers.get(encoding.trim().toLowerCase());
  if (unpack === undefined || body.length === 0) return body;
  try {
    return await unpack(body, { maxOutputLength: largest });
  } catch (error) {
    throw new BrokenExchange('protocol', l10n.t('the answer is not the {0} it claims to be', encoding ?? ''), {
      cause: error,
    });
  }
}

const certificateCodes = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|HOSTNAME_MISMATCH)/;

/** A Node socket error in our words. */
export function brokenSocket(error: Error, connected: boolean, stale: boolean, url: URL): BrokenExchange {
  const code = codeOf(error);
  const tunnel = tunnelFault(error);
  if (tunnel !== null)
    return new BrokenExchange(tunnel.refused ? 'proxy' : 'connect', tunnel.what, { proxied: true, cause: error });
  if (certificateCodes.test(code)) {
    return new BrokenExchange('certificate', l10n.t('its certificate is not trusted ({0})', code), { cause: error });
  }
  if (code.startsWith('HPE_') || code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return new BrokenExchange('protocol', l10n.t('what it sent is no HTTP ({0})', code), { cause: error });
  }
  const name = code === '' ? error.message : code;
  if (!connected) {
    const proxy = missedProxy(error, url);
    const what =
      proxy === null
        ? l10n.t('no connection ({0})', name)
        : l10n.t('no connection to the proxy {0} ({1})', proxy, name);
    return new BrokenExchange('connect', what, { proxied: proxy !== null, cause: error });
  }
  return new BrokenExchange('cut', l10n.t('the connection broke ({0})', name), { stale, cause: error });
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

function plain(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function inWords(milliseconds: number): string {
  return milliseconds >= 1000 ? `${Math.round(milliseconds / 100) / 10} s` : l10n.t('{0} ms', Math.round(milliseconds));
}
