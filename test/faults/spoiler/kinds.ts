/** How an answer is spoilt. Nothing here knows what the answers mean. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** `forwarded`: how often the server gets the request; `reply`: what the client gets in place of the answer. */
export interface Kind {
  forwarded: 0 | 1 | 2;
  /** Of all spoilt answers, relative to the others. */
  weight: number;
  reply(response: ServerResponse, answer: Answer): void;
}

const whole = (response: ServerResponse, { status, headers, body }: Answer): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
};

const instead = (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Kind['reply'] => {
  const bytes = Buffer.from(body);
  return (response) =>
    whole(response, { status, headers: { 'content-type': 'application/json', ...headers }, body: bytes });
};

const page = (title: string): string => `<!doctype html><html><head><title>${title}</title></head><body></body></html>`;
const html = { 'content-type': 'text/html' };

function oneOf<T>(first: T, ...others: readonly T[]): () => T {
  const all = [first, ...others];
  let next = 0;
  return () => all[next++ % all.length] ?? first;
}

/** Half of the answer as announced, then nothing more. */
const half = (response: ServerResponse, { status, headers, body }: Answer): void => {
  response.writeHead(status, { ...headers, 'content-length': Math.max(body.length, 2) });
  response.write(body.length === 0 ? ' ' : body.subarray(0, body.length / 2));
};

const wrong = oneOf('{"unexpected": [1, 2, 3]}', '[]', '{}', '17', '"fine"', '{"data": 0, "status": "??"}');
const failing = oneOf(500, 502, 503, 504, 520);

export const kinds = {
  /** Before anything was done. */
  'reset before': { forwarded: 0, weight: 2, reply: (response) => response.socket?.resetAndDestroy() },
  /** The work is done. */
  reset: { forwarded: 1, weight: 2, reply: (response) => response.socket?.resetAndDestroy() },
  /** The connection stays, and nothing comes; the client's own patience ends it. */
  stall: { forwarded: 1, weight: 1, reply: half },
  cut: {
    forwarded: 1,
    weight: 2,
    reply(response, answer) {
      half(response, answer);
      setImmediate(() => response.destroy());
    },
  },
  'broken gzip': {
    forwarded: 1,
    weight: 2,
    reply(response, answer) {
      const packed = gzipSync(answer.body);
      packed.fill(0xff, packed.length / 2);
      whole(response, { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' }, body: packed });
    },
  },
  null: { forwarded: 1, weight: 2, reply: instead('null') },
  'wrong shape': { forwarded: 1, weight: 3, reply: (response, answer) => instead(wrong())(response, answer) },
  /** The request, as proxies repeat what they take for lost. */
  doubled: { forwarded: 2, weight: 2, reply: whole },
  /** The answer, on one connection. */
  'doubled answer': {
    forwarded: 1,
    weight: 1,
    reply(response, { status, headers, body }) {
      const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
      const head = [`HTTP/1.1 ${status} Told`, ...lines, `content-length: ${body.length}`, '', ''].join('\r\n');
      const once = Buffer.concat([Buffer.from(head), body]);
      response.socket?.end(Buffer.concat([once, once]));
    },
  },
  late: {
    forwarded: 1,
    weight: 2,
    reply: (response, answer) => void setTimeout(() => whole(response, answer), 300),
  },
  html: { forwarded: 1, weight: 2, reply: instead(page('Welcome to the gateway'), html) },
  '5xx': {
    forwarded: 0,
    weight: 3,
    reply: (response, answer) => instead(page('Service Unavailable'), html, failing())(response, answer),
  },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
