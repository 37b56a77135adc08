/** Promises and their results (protocol §10), and which request made which promise (§12). */
import { EmbeddedError } from '../../endpoints/embedded/errors.ts';
import { Refusal } from '../http/refusal.ts';
import { RequestFault } from '../models/requestFault.ts';
import { sha256 } from '../../endpoints/sha256.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** A result in both forms of the protocol; most have only the one. */
export interface Result {
  json: unknown;
  protobuf: (() => Uint8Array) | null;
}

export const jsonOnly = (json: unknown): Result => ({ json, protobuf: null });

type State =
  | { kind: 'pending' }
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; error: string; category: string };

export interface Future {
  readonly id: string;
  readonly state: () => State;
  /** Resolved when it is no longer pending. */
  readonly settled: Promise<void>;
  /** Number of requested samples; 0 for other requests. */
  readonly samples: number;
  /** The fields of the promise besides its own id. */
  readonly extras: Readonly<Record<string, unknown>>;
  /** Why it does not start, where that is known. */
  readonly blocked: () => string | null;
}

interface Start {
  run: () => Promise<Result>;
  samples?: number;
  extras?: Readonly<Record<string, unknown>>;
  blocked?: () => string | null;
}

interface Submitted {
  hash: string;
  future: Future;
}

/** Milliseconds that a result is kept after its completion or last request. */
const keptFor = 30 * 60_000;

export class Futures {
  readonly #futures = new Map<string, { future: Future; touched: number; hidden: boolean }>();
  readonly #submitted = new Map<string, Submitted>();
  readonly #now: () => number;
  /** Distinguishes ids of this server from those of the one before it. */
  readonly #prefix: string;
  #count = 0;

  constructor(now: () => number, prefix: string) {
    this.#now = now;
    this.#prefix = prefix;
  }

  /**
   * The promise of a request. Returns the existing one for a known key with an equal body.
   * @throws Refusal 409 when the body differs
   */
  submit(keys: readonly string[], body: unknown, start: () => Start): Future {
    const hash = sha256(JSON.stringify(body));
    for (const key of keys) {
      const known = this.#submitted.get(key);
      if (known === undefined) continue;
      if (known.hash !== hash) throw new Refusal(409, `${key} was used for another request: its body differs.`);
      const kept = this.#futures.get(known.future.id);
      if (kept === undefined || canGoBetter(known.future)) continue;
      kept.touched = this.#now();
      kept.hidden = false;
      return known.future;
    }
    const future = this.#start(start());
    for (const key of keys) this.#submitted.set(key, { hash, future });
    return future;
  }

  /** @throws Refusal 410 for one that is forgotten, 404 for an id that was never given */
  find(id: string): Future {
    const found = this.#futures.get(id);
    if (found?.hidden === false) {
      found.touched = this.#now();
      return found.future;
    }
    if (found !== undefined || /^[0-9a-f]{8}-\d+$/.test(id))
      throw new Refusal(410, `Promise ${id} is forgotten. Send its request again.`);
    throw new Refusal(404, `There is no promise ${id}.`);
  }

  /** Forgets a promise until its request comes again. */
  hide(id: string): void {
    const found = this.#futures.get(id);
    if (found !== undefined) found.hidden = true;
  }

  /** Drops results that were never fetched. */
  sweep(): void {
    const oldest = this.#now() - keptFor;
    for (const [id, { future, touched }] of this.#futures) {
      if (future.state().kind !== 'pending' && touched < oldest) this.#futures.delete(id);
    }
    for (const [key, { future }] of this.#submitted) if (!this.#futures.has(future.id)) this.#submitted.delete(key);
  }

  #touch(id: string): void {
    const found = this.#futures.get(id);
    if (found !== undefined) found.touched = this.#now();
  }

  #start({ run, samples = 0, extras = {}, blocked = () => null }: Start): Future {
    const id = `${this.#prefix}-${++this.#count}`;
    let state: State = { kind: 'pending' };
    const settled = run()
      .then(
        (result) => (state = { kind: 'done', result }),
        (error: unknown) => (state = { kind: 'failed', ...failureOf(error) }),
      )
      .then(() => this.#touch(id));
    const future: Future = { id, settled, samples, extras, blocked, state: () => state };
    this.#futures.set(id, { future, touched: this.#now(), hidden: false });
    return future;
  }
}

/** Sampling changes nothing: where the server was at fault, the same request is simply tried anew. */
function canGoBetter({ samples, state }: Future): boolean {
  const now = state();
  return samples > 0 && now.kind === 'failed' && now.category === 'server';
}

/** Faults of the request are the user's; all other errors may pass on a retry. */
function failureOf(error: unknown): { error: string; category: string } {
  const message = messageOf(error);
  if (error instanceof RequestFault || error instanceof Refusal) return { error: message, category: 'user' };
  const own = ['request', 'vocabulary', 'diverged', 'weights'];
  const user = error instanceof EmbeddedError && own.includes(error.reason);
  return { error: message, category: user ? 'user' : 'server' };
}
