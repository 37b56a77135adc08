/** Slots over time: how many there were, and how many were in use. */
import type { Time } from '../time.ts';

export class SlotSeconds {
  readonly #time: Time;
  #at: number;
  #used = 0;
  #room = 0;

  constructor(time: Time) {
    this.#time = time;
    this.#at = time.now();
  }

  /** Since the last call it was so. A room that shrinks lets go of nothing: what is in use is never more than all. */
  add(used: number, room: number): void {
    const now = this.#time.now();
    const milliseconds = Math.max(0, now - this.#at);
    this.#used += used * milliseconds;
    this.#room += Math.max(used, room) * milliseconds;
    this.#at = now;
  }

  get sum(): { used: number; room: number } {
    return { used: this.#used / 1000, room: this.#room / 1000 };
  }
}
