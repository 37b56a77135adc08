/** `genenv serve`: the embedded models behind the Tinker protocol and an OpenAI-compatible one. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Difference } from './differences.ts';
import { Faults } from './faults/faults.ts';
import { injectFault, type Outcome } from './faults/injectFault.ts';
import { refuseUnknownCalls } from './faults/unknownCall.ts';
import { checkKey } from './http/auth.ts';
import { readBody } from './http/body.ts';
import type { Call } from './http/call.ts';
import { checkHost } from './http/host.ts';
import { errorReply } from './http/errors.ts';
import { Refusal } from './http/refusal.ts';
import { Router, type Match, type Route } from './http/router.ts';
import { write } from './http/write.ts';
import { openBaseModels, type BaseModel, type ModelFiles } from './models/baseModel.ts';
import { routes } from './routes/routes.ts';
import { Service } from './state/service.ts';

export interface ServeOptions {
  models: ModelFiles;
  /** 0: any free one. */
  port: number;
  host: string;
  /** Names by which clients may know it, beside its address and localhost. */
  names?: readonly string[];
  /** Folder of checkpoints. */
  state: string;
  /** Null: no key is required. */
  key: string | null;
  faults?: Faults;
  /** Deviations from the hosted service; the server does not announce them, as real ones do not. */
  differences?: readonly Difference[];
  /** Gets messages for the user who runs the server. */
  log?: (message: string) => void;
  now?: () => number;
  /** Milliseconds that a session lives without a heartbeat. */
  sessionLifetime?: number;
  pollMilliseconds?: number;
  longestQueue?: number;
}

export interface RunningServer {
  /** `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly faults: Faults;
  /** As if the process had restarted: connections break, and only the state on disk remains. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** @throws UnknownCall for a fault of none; EmbeddedError for damaged model files; the system's error for an unavailable port or folder */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const app = new App(options, await openBaseModels(options.models));
  await app.open();
  return app;
}

class App implements RunningServer {
  readonly faults: Faults;
  readonly #options: ServeOptions;
  readonly #models: readonly BaseModel[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #log: (message: string) => void;
  /** Null while it restarts. */
  #running: { service: Service; router: Router; calls: readonly Route[] } | null = null;
  #restarting: Promise<void> | null = null;
  #url = '';

  constructor(options: ServeOptions, models: readonly BaseModel[]) {
    this.#options = options;
    this.#models = models;
    this.faults = options.faults ?? new Faults();
    this.#log = options.log ?? (() => undefined);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.#log(`${request.method ?? ''} ${request.url ?? ''}: ${String(error)}`);
        response.destroy();
      });
    });
    // Longer than the clients' own timeout, so that a client that reuses a connection does not find it closed.
    this.#server.keepAliveTimeout = 75_000;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return this.#url;
  }

  async open(): Promise<void> {
    await this.#begin();
    const { port, host } = this.#options;
    try {
      refuseUnknownCalls(this.faults.rules, this.#running?.calls ?? []);
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(port, host, resolve);
      });
    } catch (error) {
      await this.#running?.service.close();
      throw error;
    }
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('Unreachable: it listens on a port.');
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    this.#url = `http://${name}:${address.port}`;
  }

  restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => (this.#restarting = null));
    return this.#restarting;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#dropAll();
    await this.#end();
    await closed;
  }

  async #restart(): Promise<void> {
    await this.#end();
    this.#dropAll();
    await this.#begin();
  }

  async #begin(): Promise<void> {
    const {
      state,
      now = () => Date.now(),
      sessionLifetime,
      pollMilliseconds,
      longestQueue,
      differences,
    } = this.#options;
    const service = await Service.open({
      ...{ state, now, models: this.#models },
      sessionLifetime: sessionLifetime ?? 30 * 60_000,
      pollMilliseconds: pollMilliseconds ?? 20_000,
      longestQueue: longestQueue ?? 8192,
      differences: differences ?? [],
    });
    const calls = routes(service);
    this.#running = { service, router: new Router(calls), calls };
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.service.close();
  }

  #dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const running = this.#running;
    // During a restart: as if no process listened.
    if (running === null) {
      response.destroy();
      return;
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('The client went away.')));
    const url = new URL(request.url ?? '/', 'http://localhost');
    let dialect: Match['route']['dialect'] = /^\/(oai\/|v1\/)/.test(url.pathname) ? 'openai' : 'tinker';
    try {
      const headers = headersOf(request);
      const { host, names = [] } = this.#options;
      checkHost(headers['host'], { host, names });
      // A browser sends the origin of its page; no page may use this server, whatever its address.
      if (headers['origin'] !== undefined) throw new Refusal(403, 'Pages in a browser may not call this server.');
      const method = request.method ?? 'GET';
      const { route, parameters } = running.router.find(method, url.pathname);
      dialect = route.dialect;
      if (this.#options.key !== null && route.open !== true) checkKey(headers, this.#options.key);
      const body = await readBody(request);
      const { pathname: path, searchParams: query } = url;
      const call = { method, path, query, headers, body, parameters, signal: gone.signal };
      await write(response, await this.#outcome(running.service, { route, parameters }, call));
    } catch (error) {
      if (gone.signal.aborted) return;
      if (!(error instanceof Refusal)) this.#log(`${request.method ?? ''} ${url.pathname}: ${stackOf(error)}`);
      await write(response, { reply: errorReply(error, dialect), delivery: 'whole' });
    }
  }

  async #outcome(service: Service, { route }: Match, call: Call): Promise<Outcome> {
    const answer = async () => await route.answer(call);
    const poll = route.path.endsWith('/retrieve_future');
    const results = poll || route.path.endsWith('/completions');
    const fault = route.open === true ? null : this.faults.pick({ path: route.path, poll, results });
    if (fault === null) return { reply: await answer(), delivery: 'whole' };
    return injectFault(fault, call, {
      answer,
      restart: () => this.restart(),
      hide: (id) => service.futures.hide(id),
    });
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
