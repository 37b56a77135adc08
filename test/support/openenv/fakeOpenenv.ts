/**
 * An OpenEnv server in this process, for what a real one does only on a bad day. Well-behaved it counts: a reset gives 0, a
 * step `{ add }` adds, and the episode is done with reward 1 at 3.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseSaid } from '../../../src/shared/json.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

interface Said {
  type: string;
  data?: Record<string, unknown>;
}

/** One session as the fake sees it. */
export interface FakeSession {
  total: number;
  socket: Duplex;
  /** Sends any text as one message; true, as it was said. */
  send: (text: string) => true;
}

export const observed = (total: number): string =>
  JSON.stringify({
    type: 'observation',
    data: { observation: { total }, reward: total >= 3 ? 1 : null, done: total >= 3 },
  });

const schema = (field: string): object => ({
  action: { type: 'object', properties: { [field]: { type: 'integer' } }, required: [field] },
  observation: { type: 'object', properties: { total: { type: 'integer' } } },
  state: {},
});

export class FakeOpenenv {
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  /** Sessions that may be open. */
  sessions = 64;
  /** Places that others hold. */
  taken = 0;
  /** Whether a full server says how many sessions it allows. */
  tells = true;
  /** Name of the action's field. */
  field = 'add';
  /** Status of an upgrade that is refused; null for none. */
  noSockets: number | null = null;
  /** How often its schema was asked for. */
  schemas = 0;
  open = 0;
  /** Most that were open at once. */
  most = 0;
  refusals = 0;
  resets: unknown[] = [];
  /** Answers a message in its own way; false leaves it to the fake. */
  says: (said: Said, session: FakeSession) => boolean = () => false;

  constructor() {
    this.#server = createServer((request, response) => {
      if (request.url === '/schema') this.schemas += 1;
      const body =
        request.url === '/schema' ? schema(this.field) : request.url === '/metadata' ? { name: 'counter' } : null;
      response.statusCode = body === null ? 404 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body ?? { detail: 'Not Found' }));
    });
    this.#server.on('upgrade', (request, socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      if (this.noSockets !== null) {
        socket.end(`HTTP/1.1 ${this.noSockets} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const accept = createHash('sha1')
        .update(`${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
      this.#session(socket);
    });
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isListening(address) ? address.port : 0}`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.drop();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Ends every connection without a word. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #session(socket: Duplex): void {
    const send = (text: string): true => {
      socket.write(textOf(text));
      return true;
    };
    const session: FakeSession = { total: 0, socket, send };
    if (this.open + this.taken >= this.sessions) {
      this.refusals += 1;
      const data = { code: 'CAPACITY_REACHED', message: 'full', active_sessions: this.sessions };
      session.send(
        JSON.stringify({ type: 'error', data: { ...data, ...(this.tells && { max_sessions: this.sessions }) } }),
      );
      socket.end(closing);
      return;
    }
    this.open += 1;
    this.most = Math.max(this.most, this.open);
    let gone = false;
    const leave = (): void => {
      if (!gone) this.open -= 1;
      gone = true;
    };
    socket.on('close', leave);
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const read = messageIn(bytes);
        if (read === null) return;
        bytes = read.rest;
        if (read.text === null) continue;
        const said = read.text;
        if (this.says(said, session)) continue;
        if (said.type === 'close') {
          leave();
          socket.end(closing);
        } else this.#answer(said, session);
      }
    });
  }

  #answer({ type, data = {} }: Said, session: FakeSession): void {
    if (type === 'reset') {
      this.resets.push(data);
      session.send(observed(0));
    } else if (type === 'mcp') {
      const error = { code: -32603, message: 'Environment does not support MCP' };
      session.send(JSON.stringify({ type: 'mcp', data: { jsonrpc: '2.0', id: data['id'], error } }));
    } else {
      session.total += Number(data['add']);
      session.send(observed(session.total));
    }
  }
}

const isListening = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

/** A whole text frame of a server, which masks nothing. */
export function textOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const extra = payload.length > 0xffff ? 8 : payload.length > 125 ? 2 : 0;
  const head = Buffer.alloc(2 + extra);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(extra === 0 ? payload.length : extra === 2 ? 126 : 127, 1);
  if (extra === 2) head.writeUInt16BE(payload.length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

const closing = Buffer.from([0x88, 0x02, 0x03, 0xe8]);

/** The next whole frame of a client; `text` is null for one that is no text. */
function messageIn(bytes: Buffer): { text: Said | null; rest: Buffer } | null {
  if (bytes.length < 6) return null;
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start + 4) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + 4 + length) return null;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, start + 4 + length)).map(
    (byte, i) => byte ^ (mask[i & 3] ?? outOfRange()),
  );
  const rest = bytes.subarray(start + 4 + length);
  if ((bytes.readUInt8(0) & 0x0f) !== 1) return { text: null, rest };
  const said = parseSaid(Buffer.from(payload).toString('utf8'));
  return { text: isSaid(said) ? said : null, rest };
}

const isSaid = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
