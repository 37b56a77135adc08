/**
 * An OpenEnv server as the place of episodes: it holds as many sessions as it allows, and waits where it is full. Facts:
 * `GET /schema` and `GET /metadata`; sessions: WebSockets at `/ws`.
 */
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import { EpisodeError } from '../../engine/errors.ts';
import type { Step } from '../../shared/records/trace.ts';
import { EndpointError } from '../endpointError.ts';
import { BrokenExchange } from '../http/exchange.ts';
import { failureOf, failureOfExchange, type Failure } from '../http/failure.ts';
import { RefusedAnswer, type HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';
import { backOff } from '../http/retryRules.ts';
import type { Silences } from '../http/silences.ts';
import { sleep, unlessAborted, type Time } from '../time.ts';
import { Places } from './places.ts';
import { NoSession, OpenenvSession } from './session.ts';
import { dial } from './webSocket.ts';
import { metadataSchema, saidIn, schemasSchema, type Metadata, type Schemas } from './wire.ts';

export interface OpenenvOptions {
  http: HttpClient;
  /** Headers that prove who asks. */
  credentials(): Promise<Readonly<Record<string, string>>>;
  /** Most sessions at once. */
  sessions: number;
  /** Milliseconds an answer may take. */
  patience: number;
  /** Bytes a message may have. */
  largest: number;
  time: Time;
  random?: () => number;
  onTrouble?(what: string): void;
  /** A session was refused because there are enough. */
  onFull?(): void;
  silences?: Silences;
}

/** Connections that fail, one after the other, before the server counts as away: some three minutes. */
const mostTries = 10;
/** Resets that end the connection before an episode counts as lost. */
const mostCuts = 3;

type Why = Pick<Failure, 'reason' | 'what' | 'remedy' | 'tries' | 'after'>;
/** `full`: how many sessions the server says it allows. `cut`: the connection ended while it was resetting. */
type Outcome = Begun | { full: number | null } | { failure: Why & { cut?: true } };

/** A session, and the observation that it begins with. */
export interface Begun {
  session: OpenenvSession;
  first: Step;
}

export class OpenenvServer {
  readonly #options: OpenenvOptions;
  readonly #places: Places;
  readonly #random: () => number;
  readonly #open = new Set<OpenenvSession>();
  /** That it serves what it did, from when it was asked; null while it may have been started anew since. */
  #same: Promise<void> | null = null;
  /** Null where it tells none. */
  readonly metadata: Metadata | null;
  readonly schemas: Schemas;
  /** Sessions that the server says it allows; null while it has refused none. */
  allowed: number | null = null;

  private constructor(options: OpenenvOptions, facts: { metadata: Metadata | null; schemas: Schemas }) {
    this.#options = options;
    this.#places = new Places(options.sessions);
    this.#random = options.random ?? Math.random;
    this.metadata = facts.metadata;
    this.schemas = facts.schemas;
  }

  /** @throws EndpointError */
  static async open(options: OpenenvOptions, signal: AbortSignal): Promise<OpenenvServer> {
    const schemas = await readSchemas(options.http, signal);
    return new OpenenvServer(options, { schemas, metadata: await readMetadata(options.http, signal) });
  }

  get url(): string {
    return this.#options.http.url;
  }

  /** Sessions that are open now. */
  get held(): number {
    return this.#open.size;
  }

  /**
   * Begins an episode once there is a place for it. @throws EpisodeError where this one cannot be begun; EndpointError
   * where none can; the signal's reason
   */
  async begin(reset: object, signal: AbortSignal): Promise<Begun> {
    const { http, time } = this.#options;
    const either = AbortSignal.any([signal, http.closed]);
    await this.#places.take(either);
    let placed = true;
    let [tries, cuts] = [0, 0];
    try {
      for (let waits = 0; ; waits++) {
        const outcome = await this.#try(reset, either);
        if ('session' in outcome) {
          this.#options.silences?.over(this.url);
          return outcome;
        }
        if ('full' in outcome) {
          this.#lower(outcome.full);
          // A place above the limit is queued for again: it comes free when the next session here ends.
          if (this.#places.over) {
            this.#places.free();
            placed = false;
            await this.#places.take(either, true);
            placed = true;
            continue;
          }
          tries = this.held > 0 ? 0 : tries + 1;
        } else if (outcome.failure.cut === true) {
          cuts += 1;
          if (cuts === mostCuts) throw this.#lost(outcome.failure.what);
        } else tries += 1;
        const failure = 'full' in outcome ? full() : outcome.failure;
        if (tries >= Math.min(mostTries, failure.tries)) {
          this.#options.silences?.over(this.url);
          throw this.#away(failure, tries);
        }
        // While sessions are open, it answers these.
        if (this.held === 0) this.#options.silences?.failed(this.url, failure.what);
        const delay = failure.after ?? backOff(waits, this.#random);
        this.#options.onTrouble?.(`${this.url}: ${failure.what} (again in ${Math.round(delay)} ms)`);
        await sleep(time, delay, either);
      }
    } catch (error) {
      if (placed) this.#places.free();
      throw error;
    }
  }

  /** Closes every session. */
  async close(): Promise<void> {
    const sessions = [...this.#open].map((session) => session.close());
    this.#options.http.close();
    await Promise.all(sessions);
  }

  /** One try. @throws EpisodeError, EndpointError, the signal's reason */
  async #try(reset: object, signal: AbortSignal): Promise<Outcome> {
    const { largest, patience, time } = this.#options;
    await unlessAborted((this.#same ??= this.#confirm()), signal);
    let line;
    try {
      const headers = await this.#options.credentials();
      line = await dial({ url: new URL(`${this.url}/ws`), headers, largest, patience, time, signal });
    } catch (error) {
      this.#same = null;
      if (error instanceof RefusedAnswer) {
        const failure = failureOf(error.answer, { url: this.url, path: '/ws' });
        return { failure: { ...failure, ...withoutSessions(error) } };
      }
      if (error instanceof BrokenExchange) return { failure: failureOfExchange(error) };
      throw error;
    }
    const session: OpenenvSession = new OpenenvSession({
      ...{ line, url: this.url, patience, signal },
      onClosed: () => {
        if (this.#open.delete(session)) this.#places.free();
        if (this.#open.size === 0) this.#same = null;
      },
    });
    void line.ended.then(() => {
      if (this.#open.has(session) && !session.closed) this.#same = null;
    });
    try {
      const first = await session.reset(reset);
      this.#open.add(session);
      return { session, first };
    } catch (error) {
      await session.close();
      if (error instanceof BrokenExchange) return { failure: { ...failureOfExchange(error), cut: true } };
      if (!(error instanceof NoSession)) throw error;
      if (error.said.code === 'CAPACITY_REACHED') return { full: error.said.max_sessions };
      throw this.#lost(`${error.said.code}: ${saidIn(error.said)}`);
    }
  }

  /**
   * Asks once for as long as a session is open: who is started anew drops them all. @throws EpisodeError where it serves
   * something else by now, EndpointError
   */
  async #confirm(): Promise<void> {
    try {
      const { http } = this.#options;
      if (!isDeepStrictEqual(await readSchemas(http, http.closed), this.schemas)) throw this.#changed();
    } catch (error) {
      this.#same = null;
      throw error;
    }
  }

  #lower(allowed: number | null): void {
    this.allowed = allowed ?? this.allowed;
    this.#places.lower(allowed ?? this.held);
    this.#options.onFull?.();
  }

  #changed(): EpisodeError {
    const what = l10n.t(
      'the schema of its actions or observations is no longer what it was when this run was begun or resumed',
    );
    return new EpisodeError(l10n.t('{0}: {1}. Serve the same environment again, or start a new run.', this.url, what));
  }

  #lost(what: string): EpisodeError {
    return new EpisodeError(l10n.t('{0}: reset: {1}. See the server’s own log.', this.url, what.replace(/\.$/, '')));
  }

  #away({ reason, what, remedy }: Why, attempts: number): EndpointError {
    return new EndpointError(reason, what, { endpoint: this.url, request: 'WebSocket /ws', attempts, remedy });
  }
}

const full = (): Why => ({
  reason: 'overloaded',
  what: l10n.t('every session of the server is taken by others'),
  remedy: l10n.t('Have it serve more (max_concurrent_envs), or wait until others have left.'),
  tries: Infinity,
  after: null,
});

/** The rest of HTTP is there, and the sessions are not. */
function withoutSessions({ answer: { status } }: RefusedAnswer): Partial<Why> {
  if (![403, 404, 405].includes(status)) return {};
  return {
    reason: 'refused',
    what: l10n.t('it has no sessions at /ws (status {0})', status),
    remedy: l10n.t('Serve the environment with a version of OpenEnv that has them (0.2 or later).'),
    tries: 1,
  };
}

/** @throws EndpointError */
async function readSchemas(http: HttpClient, signal: AbortSignal): Promise<Schemas> {
  try {
    return await sendForJson(http, { method: 'GET', path: '/schema' }, schemasSchema, signal);
  } catch (error) {
    if (!EndpointError.is(error) || error.status !== 404) throw error;
    throw new EndpointError('refused', l10n.t('it has no /schema'), {
      ...{ endpoint: http.url, request: 'GET /schema', attempts: error.attempts, status: 404 },
      remedy: l10n.t('Check that the address leads to an OpenEnv server (0.2 or later).'),
    });
  }
}

/** Metadata is for people: a server works without it. */
async function readMetadata(http: HttpClient, signal: AbortSignal): Promise<Metadata | null> {
  try {
    return await sendForJson(http, { method: 'GET', path: '/metadata', tries: 2 }, metadataSchema, signal);
  } catch (error) {
    if (EndpointError.is(error)) return null;
    throw error;
  }
}
