/** The scheduler of one endpoint with its replicas. */
import { machineTime, reasonOf, type Time } from '../time.ts';
import { Replica, isOfServer } from './replica.ts';
import type { Busyness, Scheduler } from './scheduler.ts';
import { SlotSeconds } from './slotSeconds.ts';
import { Turns, type Source } from './turns.ts';

export interface SchedulerOptions {
  /** How many servers share the work; 1 when absent. */
  replicas?: number;
  /** Most pieces in flight at each of them; absent: as it turns out. */
  limit?: number | null;
  /** In flight at each of them before anything is known. */
  start?: number;
  /** The same at single ones, where an earlier session settled on more. */
  starts?: readonly (number | undefined)[];
  time?: Time;
}

/** The initial room of a server of unknown size. */
const usualStart = 64;
/** No endpoint we know of is asked for more than this (the hosted service's own client: 2,000). */
const mostInFlight = 2000;

interface Piece {
  user: string;
  /** Replicas that failed it, and how. */
  failedAt: Map<number, unknown>;
  work(replica: number): Promise<void>;
  fail(error: unknown): void;
  /** Nothing waits for it any more. */
  isGone(): boolean;
}

export class AdaptiveScheduler implements Scheduler {
  readonly #replicas: Replica[];
  readonly #turns = new Turns<Piece>();
  /** Failed at one replica, for another. */
  #again: Piece[] = [];
  #nextReplica = 0;
  readonly #seconds: SlotSeconds;

  constructor(options: SchedulerOptions = {}) {
    const { replicas = 1, start = usualStart, starts = [], time = machineTime } = options;
    const limit = options.limit ?? mostInFlight;
    this.#seconds = new SlotSeconds(time);
    this.#replicas = Array.from({ length: replicas }, (_, i) => {
      const room = { start: Math.max(start, starts[i] ?? 0), limit };
      return new Replica(i, time, { room, start, mayLeave: replicas > 1 });
    });
  }

  /** Seconds of all slots so far, and of those in use. */
  get seconds(): { used: number; room: number } {
    this.#count();
    return this.#seconds.sum;
  }

  get load(): Scheduler['load'] {
    return {
      inFlight: this.#replicas.reduce((sum, { inFlight }) => sum + inFlight, 0),
      waiting: this.#turns.waiting + this.#again.length,
      room: this.#room,
    };
  }

  /** The room of each replica now. */
  get rooms(): readonly number[] {
    return this.#replicas.map(({ room }) => room.size);
  }

  refused(replica: number, began: number): void {
    this.#count();
    this.#replicas[replica]?.room.refused(began);
  }

  busy(replica: number, busyness: Busyness): void {
    this.#count();
    this.#replicas[replica]?.room.busy(busyness);
    this.#admit();
  }

  async *each<I, T>(
    user: string,
    items: Iterable<I>,
    work: (item: I, replica: number, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    urgency: (item: I) => number | undefined = () => undefined,
  ): AsyncGenerator<T> {
    if (signal.aborted) throw reasonOf(signal);
    const inner = new AbortController();
    // One of its own for each piece: a signal that ten thousand listen to walks through all of them for each one more.
    const live = new Set<AbortController>();
    const end = (reason: unknown): void => {
      inner.abort(reason);
      for (const one of live) one.abort(reason);
    };
    const iterator = items[Symbol.iterator]();
    const total = Array.isArray(items) ? items.length : null;
    let upcoming = iterator.next();
    const finished: { result: T }[] = [];
    let failure: { error: unknown } | null = null;
    let begun = 0;
    let working = 0;
    let wake = Promise.withResolvers<null>();
    const roomForResults = () => finished.length < this.#room;
    const source: Source<Piece> = {
      user,
      get ready() {
        return upcoming.done !== true && failure === null && roomForResults();
      },
      get waiting() {
        return upcoming.done === true ? 0 : total === null ? 1 : total - begun;
      },
      get urgency() {
        return upcoming.done === true ? null : (urgency(upcoming.value) ?? null);
      },
      take: () => {
        if (upcoming.done === true) throw new Error('Unreachable: only what is ready is taken.');
        const { value } = upcoming;
        upcoming = iterator.next();
        begun += 1;
        working += 1;
        return {
          user,
          failedAt: new Map(),
          work: async (replica) => {
            const own = new AbortController();
            live.add(own);
            const result = await work(value, replica, own.signal).finally(() => live.delete(own));
            working -= 1;
            finished.push({ result });
            wake.resolve(null);
          },
          fail: (error) => {
            working -= 1;
            failure ??= { error };
            wake.resolve(null);
          },
          isGone: () => inner.signal.aborted,
        };
      },
    };
    const onAbort = () => {
      end(signal.reason);
      wake.resolve(null);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#turns.add(source);
    const settled = (): { error: unknown } | null => failure;
    try {
      this.#admit();
      for (;;) {
        if (inner.signal.aborted) throw reasonOf(signal);
        const wasFull = !roomForResults();
        const next = finished.shift();
        if (next !== undefined) {
          if (wasFull) this.#admit();
          yield next.result;
          continue;
        }
        const failed = settled();
        if (working === 0 && failed !== null) throw failed.error;
        if (working === 0 && !source.ready) return;
        await wake.promise;
        wake = Promise.withResolvers();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#turns.remove(source);
      if (working > 0) end(new Error('Nothing waits for it any more.'));
      this.#admit();
    }
  }

  /** Before anything changes. */
  #count(): void {
    this.#seconds.add(
      this.#replicas.reduce((sum, { inFlight }) => sum + inFlight, 0),
      this.#room,
    );
  }

  get #room(): number {
    return this.#present().reduce((sum, { room }) => sum + room.size, 0);
  }

  /** Those that are not away; all of them when all are, since waiting alone brings none back. */
  #present(): Replica[] {
    const present = this.#replicas.filter(({ away }) => !away);
    return present.length === 0 ? this.#replicas : present;
  }

  #admit(): void {
    this.#again = this.#again.filter((piece) => !piece.isGone() && !this.#admitAgain(piece));
    for (let replica = this.#choose(this.#present()); replica !== null; replica = this.#choose(this.#present())) {
      const piece = this.#turns.next();
      if (piece === null) return;
      void this.#perform(piece, replica);
    }
  }

  /** True when it is begun elsewhere, or there is nowhere left. */
  #admitAgain(piece: Piece): boolean {
    const others = this.#present().filter(({ index }) => !piece.failedAt.has(index));
    if (others.length === 0) {
      piece.fail([...piece.failedAt.values()].at(-1));
      return true;
    }
    const replica = this.#choose(others);
    if (replica !== null) void this.#perform(piece, replica);
    return replica !== null;
  }

  /** The one with least in flight that has room; in turn among equals. */
  #choose(replicas: readonly Replica[]): Replica | null {
    const free = replicas.filter((replica) => replica.free);
    const from = this.#nextReplica;
    const rank = ({ index }: Replica) => (index - from + this.#replicas.length) % this.#replicas.length;
    const [best] = free.sort((a, b) => a.inFlight - b.inFlight || rank(a) - rank(b));
    if (best === undefined) return null;
    this.#nextReplica = (best.index + 1) % this.#replicas.length;
    return best;
  }

  async #perform(piece: Piece, replica: Replica): Promise<void> {
    this.#count();
    const began = replica.begin();
    this.#turns.begin(piece.user);
    try {
      await piece.work(replica.index);
      this.#count();
      replica.done(piece.user, began);
    } catch (error) {
      this.#count();
      replica.failed(error, began);
      piece.failedAt.set(replica.index, error);
      if (isOfServer(error) && !piece.isGone() && this.#replicas.length > 1) this.#again.push(piece);
      else piece.fail(error);
    }
    this.#turns.end(piece.user);
    this.#admit();
  }
}
