/** One of the servers of an endpoint: what it has in flight, and whether it can be trusted with more. */
import { EndpointError } from '../endpointError.ts';
import type { Time } from '../time.ts';
import { Room, type RoomOptions } from './room.ts';

const failuresToLeave = 3;
const firstAbsence = 5_000;
const longestAbsence = 60_000;

export interface ReplicaOptions {
  room: RoomOptions;
  /** Its room when it comes back. */
  start: number;
  /** There are others to do its work. */
  mayLeave: boolean;
}

export class Replica {
  readonly index: number;
  readonly room: Room;
  readonly #time: Time;
  readonly #start: number;
  readonly #mayLeave: boolean;
  #failures = 0;
  #absences = 0;
  #leftAt = -Infinity;
  #awayUntil = -Infinity;

  constructor(index: number, time: Time, { room, start, mayLeave }: ReplicaOptions) {
    this.index = index;
    this.#mayLeave = mayLeave;
    this.#time = time;
    this.#start = start;
    this.room = new Room(time, room);
  }

  get inFlight(): number {
    return this.room.inFlight;
  }

  /** Left out for now, because it kept failing. */
  get away(): boolean {
    return this.#time.now() < this.#awayUntil;
  }

  /** One that was away is first given a single piece of work. */
  get free(): boolean {
    return this.inFlight < (this.#absences > 0 ? 1 : this.room.size);
  }

  begin(): number {
    this.room.begin();
    return this.#time.now();
  }

  done(user: string, began: number): void {
    this.room.end();
    this.room.answered(user, began);
    // A call that began before it left proves nothing about it now.
    if (began <= this.#leftAt) return;
    this.#failures = 0;
    if (this.#absences > 0) this.room.reset(this.#start);
    this.#absences = 0;
  }

  failed(error: unknown, began: number): void {
    this.room.end();
    if (EndpointError.is(error, 'overloaded')) this.room.refused(began);
    if (!this.#mayLeave || !isOfServer(error)) return;
    this.#failures += 1;
    if (this.#failures < failuresToLeave && this.#absences === 0) return;
    // The rest of what it had in flight fails for the same cause: one absence.
    if (this.away) return;
    this.#leftAt = this.#time.now();
    this.#awayUntil = this.#leftAt + Math.min(firstAbsence * 2 ** this.#absences, longestAbsence);
    this.#absences += 1;
  }
}

/** Failures of the server itself: another replica may do better. */
export function isOfServer(error: unknown): boolean {
  return error instanceof EndpointError && ['unreachable', 'overloaded', 'failed', 'malformed'].includes(error.reason);
}
