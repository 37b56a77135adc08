/**
 * The server through which programs ask the agent: an OpenAI-compatible address on this machine, one for a run. Each
 * attempt has its own key, which expires with it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';
import { utf8Text } from '../../shared/text/utf8.ts';
import { answerEvents, wholeAnswer, type Answered } from './chatAnswer.ts';
import { chatBodySchema, type ChatBody } from './chatBody.ts';
import { Refusal } from './refusal.ts';

/** The value of `OPENAI_MODEL`. */
export const servedModel = 'agent';

/** Bytes of a request: far above any context. */
const largestBody = 64 * 1024 * 1024;

/** Answers the requests of one attempt. @throws Refusal */
export type Guest = (body: ChatBody, signal: AbortSignal) => Promise<Answered>;

export class Door {
  readonly #server: Server;
  readonly #guests = new Map<string, Guest>();
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#handle(request, response);
    });
    // Longer than the clients' own timeout, so that a client that reuses a connection does not find it closed.
    this.#server.keepAliveTimeout = 75_000;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(): Promise<Door> {
    const door = new Door();
    await new Promise<void>((resolve, reject) => {
      door.#server.once('error', reject);
      door.#server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, resolve);
    });
    return door;
  }

  /** `http://127.0.0.1:49152/v1`. */
  get url(): string {
    const { port } = addressOf(this.#server);
    return `http://127.0.0.1:${port}/v1`;
  }

  /** A key whose requests this guest answers until `leave`. */
  admit(guest: Guest): { key: string; leave: () => void } {
    const key = `genenv-${randomBytes(24).toString('base64url')}`;
    const name = digest(key);
    this.#guests.set(name, guest);
    return { key, leave: () => this.#guests.delete(name) };
  }

  close(): void {
    this.#guests.clear();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('The program went away.')));
    // `close` reports a broken connection.
    response.on('error', () => undefined);
    try {
      await this.#answer(request, response, gone.signal);
    } catch (error) {
      if (gone.signal.aborted || response.headersSent) {
        response.destroy();
        return;
      }
      const refusal = error instanceof Refusal ? error : new Refusal(500, `The agent was not asked: ${String(error)}`);
      sendJson(response, refusal.status, refusal.body);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<void> {
    // A browser names the page that asks; no page has business here.
    if (request.headers.origin !== undefined) throw new Refusal(403, 'Pages in a browser may not ask here.');
    const guest = this.#guestOf(request);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const asked = `${request.method ?? ''} ${pathname}`;
    if (asked === 'GET /v1/models') {
      sendJson(response, 200, { object: 'list', data: [{ id: servedModel, object: 'model', owned_by: 'genenv' }] });
      return;
    }
    if (asked !== 'POST /v1/chat/completions') {
      throw new Refusal(404, `There is nothing at ${asked}: ask POST /v1/chat/completions.`);
    }
    const body = bodyOf(await readBody(request));
    if (body.model !== servedModel) {
      const remedy = `Ask for the one that OPENAI_MODEL names: “${servedModel}”.`;
      throw new Refusal(404, `The model “${body.model}” does not exist here. ${remedy}`, 'model_not_found');
    }
    const answered = await guest(body, gone);
    if (body.stream !== true) {
      sendJson(response, 200, wholeAnswer(answered));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    let events = '';
    for (const event of answerEvents(answered)) events += `data: ${event}\n\n`;
    response.end(events);
  }

  /** @throws Refusal 401 */
  #guestOf({ headers }: IncomingMessage): Guest {
    const key = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    const guest = this.#guests.get(digest(key));
    if (guest !== undefined) return guest;
    const remedy = 'Each program is given its own in OPENAI_API_KEY, for as long as its attempt lasts.';
    throw new Refusal(401, `This is not the key of an attempt that is being made. ${remedy}`, 'invalid_api_key');
  }
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64');

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Unreachable: it listens on a port.');
  return address;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    // Asking again would be answered the same.
    ...(status !== 200 && { 'x-should-retry': 'false' }),
  });
  response.end(bytes);
}

/** @throws Refusal 413, 400 for text in another encoding than UTF-8 */
async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new Error('Unreachable: no encoding was set, so parts are buffers.');
    size += part.length;
    if (size > largestBody) throw new Refusal(413, `The body has more than ${largestBody} bytes.`);
    parts.push(part);
  }
  return utf8Text(Buffer.concat(parts), () => new Refusal(400, 'The body is not UTF-8.'));
}

/** @throws Refusal 400, with the field in the first place */
function bodyOf(text: string): ChatBody {
  const value = parseSaid(text);
  if (value === undefined) throw new Refusal(400, 'The body is not JSON.');
  const read = chatBodySchema.safeParse(value);
  if (read.success) return read.data;
  throw new Refusal(400, z.prettifyError(read.error).replaceAll('✖ ', ''));
}
