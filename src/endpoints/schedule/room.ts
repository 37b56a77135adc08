/**
 * How much may be in flight at one server. Doubles a round (as many answers as there was room) until the first sign that
 * it is enough, then grows by its square root; a refusal takes a third, slowness that brings nothing what it is too much.
 * A server that has become no slower by two rounds' growth is far from full: from then on it grows fourfold a round.
 */
import type { Time } from '../time.ts';
import { asLong, Latency } from './latency.ts';
import type { Busyness } from './scheduler.ts';

export interface RoomOptions {
  start: number;
  /** Never more than this. */
  limit: number;
}

/** Chance makes rounds differ by this much. */
const tolerance = 1.25;
const afterRefusal = 0.7;
const roundsAsFast = 2;

export class Room {
  readonly #time: Time;
  readonly #limit: number;
  readonly #latency = new Latency();
  #size: number;
  #doubling = true;
  /** Rounds in a row that were as fast as those with less in flight. */
  #fastRounds = 0;
  /** Refusals of what began before the last cut are the same sign once more. */
  #cutAt = -Infinity;
  #answers = 0;
  #round: number;
  #inFlight = 0;
  /** Most in flight in this round. */
  #used = 0;
  #waiting = 0;

  constructor(time: Time, { start, limit }: RoomOptions) {
    this.#time = time;
    this.#limit = limit;
    this.#size = Math.max(1, Math.min(start, limit));
    this.#round = this.#size;
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(): void {
    this.#inFlight += 1;
    this.#used = Math.max(this.#used, this.#inFlight);
  }

  end(): void {
    this.#inFlight -= 1;
  }

  answered(user: string, began: number): void {
    // A call that began before a cut measures a room that is no more.
    if (began < this.#cutAt) return;
    this.#latency.add(user, this.#time.now() - began);
    this.#answers += 1;
    if (this.#answers >= this.#round) this.#endRound();
  }

  refused(began: number): void {
    if (began >= this.#cutAt) this.#cut(afterRefusal);
  }

  busy({ waiting, full }: Busyness): void {
    this.#waiting = waiting;
    if (full && this.#answers > 0) this.#cut(0.5);
  }

  /** Begins anew, as with an unknown server. */
  reset(start: number): void {
    this.#size = Math.max(1, Math.min(start, this.#size));
    this.#doubling = true;
    this.#fastRounds = 0;
    this.#startRound();
  }

  #endRound(): void {
    if (this.#used < this.size) {
      // There was not enough to do: nothing is learnt about the room.
      this.#latency.skip();
      this.#startRound();
      return;
    }
    const slowness = this.#latency.round(this.#used);
    if (slowness !== null && slowness.worth > tolerance) {
      this.#cut(Math.max(0.5, tolerance / slowness.worth));
      return;
    }
    this.#fastRounds = slowness !== null && slowness.times <= asLong ? this.#fastRounds + 1 : 0;
    if (this.#waiting === 0) {
      const times = this.#fastRounds >= roundsAsFast ? 4 : 2;
      const more = this.#doubling ? (times - 1) * this.#size : Math.sqrt(this.#size);
      this.#size = Math.min(this.#limit, this.#size + more);
    }
    this.#startRound();
  }

  #cut(share: number): void {
    this.#latency.skip();
    this.#size = Math.max(1, Math.min(this.#size, this.#used) * share);
    this.#doubling = false;
    this.#fastRounds = 0;
    this.#cutAt = this.#time.now();
    this.#startRound();
  }

  #startRound(): void {
    this.#answers = 0;
    this.#round = Math.max(1, this.size);
    this.#used = this.#inFlight;
  }
}
