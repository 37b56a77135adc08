/**
 * Stands in front of a server and spoils a share of its answers in mixed ways. It knows HTTP and nothing else: not what is
 * asked, nor by whom. Seeded, so that a night repeats as far as the requests do.
 */
import { createHash } from 'node:crypto';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { kinds, type Answer, type Kind, type KindName } from './kinds.ts';

export interface SpoilerOptions {
  /** Where the server is: `http://127.0.0.1:8000`. */
  target: string;
  /** Of the answers, 0…1. */
  share: number;
  seed: string;
  port?: number;
  /** Starts the server anew, which forgets what it must. Absent: it never is. */
  restart?: () => Promise<void>;
  /** After how many requests each restart comes. */
  restartAfter?: readonly number[];
}

export interface Counts {
  answers: number;
  /** By kind, restarts included. */
  spoilt: ReadonlyMap<string, number>;
}

const names = Object.keys(kinds).filter((name): name is KindName => name in kinds);
const total = names.reduce((sum, name) => sum + kinds[name].weight, 0);
/** Of the hop from client to proxy alone. */
const hop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export class Spoiler {
  readonly url: string;
  readonly #options: SpoilerOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #seen = new Map<string, number>();
  readonly #spoilt = new Map<string, number>();
  readonly #stop: () => Promise<void>;
  #answers = 0;
  #restarting: Promise<void> | null = null;

  private constructor(options: SpoilerOptions, url: string, stop: () => Promise<void>) {
    this.#options = options;
    this.url = url;
    this.#stop = stop;
  }

  static async start(options: SpoilerOptions): Promise<Spoiler> {
    const server = createServer((request, response) => {
      spoiler.#handle(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    const spoiler: Spoiler = new Spoiler(options, `http://127.0.0.1:${address.port}`, async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    });
    return spoiler;
  }

  get counts(): Counts {
    return { answers: this.#answers, spoilt: this.#spoilt };
  }

  async stop(): Promise<void> {
    await this.#stop();
    await this.#restarting;
    this.#agent.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) if (Buffer.isBuffer(piece)) pieces.push(piece);
    const body = Buffer.concat(pieces);
    this.#answers += 1;
    if (this.#options.restartAfter?.includes(this.#answers) === true) this.#restart();
    const name = this.#fate(request);
    if (name !== null) this.#note(name);
    const kind: Kind | null = name === null ? null : kinds[name];
    let answer: Answer = {
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<html>away</html>'),
    };
    for (let times = 0; times < (kind?.forwarded ?? 1); times++) answer = await this.#forward(request, body);
    if (kind !== null) kind.reply(response, answer);
    else
      response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length }).end(answer.body);
  }

  /** The k-th request of a kind has the same fate in every night of a seed. */
  #fate({ method, url = '' }: IncomingMessage): KindName | null {
    const { seed, share } = this.#options;
    const what = `${method ?? ''} ${url.replaceAll(/\d+/g, '0')}`;
    const k = (this.#seen.get(what) ?? 0) + 1;
    this.#seen.set(what, k);
    const drawn = createHash('sha256').update(`${seed}/${what}/${k}`).digest();
    if (drawn.readUInt32LE(0) / 2 ** 32 >= share) return null;
    let at = (drawn.readUInt32LE(4) / 2 ** 32) * total;
    return names.find((name) => (at -= kinds[name].weight) < 0) ?? null;
  }

  #note(name: string): void {
    this.#spoilt.set(name, (this.#spoilt.get(name) ?? 0) + 1);
  }

  #restart(): void {
    const { restart } = this.#options;
    if (restart === undefined || this.#restarting !== null) return;
    this.#note('restart');
    this.#restarting = restart().finally(() => (this.#restarting = null));
  }

  /** A server that is away is what a gateway says of it. */
  #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve) => {
      const away = (): void => resolve({ status: 502, headers: {}, body: Buffer.from('Bad Gateway') });
      const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !hop.has(name)));
      const asked = send(this.#options.target + (url ?? '/'), {
        ...{ method, agent: this.#agent },
        headers: { ...kept, 'content-length': body.length },
      });
      asked.on('error', away);
      asked.on('response', (given) => {
        const pieces: Buffer[] = [];
        given.on('data', (piece: Buffer) => pieces.push(piece));
        given.on('error', away);
        given.on('end', () => {
          const told = Object.entries(given.headers).flatMap(([name, value]) =>
            value === undefined || hop.has(name) ? [] : [[name, value] as const],
          );
          resolve({ status: given.statusCode ?? 502, headers: Object.fromEntries(told), body: Buffer.concat(pieces) });
        });
      });
      asked.end(body);
    });
  }
}
