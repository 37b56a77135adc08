/**
 * Slows all requests of one client down together. Refusals close it for a while; refusals of requests that were on their
 * way when it closed are the same burst and do not make the wait longer.
 */
import { sleep, type Time } from '../time.ts';
import { backOff } from './retryRules.ts';

export class Gate {
  readonly #time: Time;
  readonly #random: () => number;
  #until = -Infinity;
  #closedAt = -Infinity;
  #level = 0;

  constructor(time: Time, random: () => number) {
    this.#time = time;
    this.#random = random;
  }

  /**
   * A request that began then was refused. `asked`: milliseconds by the server's word; `least`: at least so many, whatever
   * it says. Returns for how long the gate is closed from now.
   */
  close(began: number, asked: number | null, least = 0): number {
    const now = this.#time.now();
    if (began >= this.#closedAt) {
      this.#closedAt = now;
      const wait = Math.max(least, asked ?? backOff(this.#level, this.#random));
      this.#until = Math.max(this.#until, now + wait);
      this.#level += 1;
    } else if (asked !== null) {
      this.#until = Math.max(this.#until, now + Math.max(least, asked));
    }
    return Math.max(0, this.#until - now);
  }

  /** A request that began then was answered. */
  answered(began: number): void {
    if (began >= this.#closedAt) this.#level = 0;
  }

  /** Waits until it is open. They do not all start at the same moment. */
  async pass(...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    for (let left = this.#left(); left > 0; left = this.#left()) {
      await sleep(this.#time, left * (1 + 0.25 * this.#random()), ...signals);
    }
  }

  #left(): number {
    return this.#until - this.#time.now();
  }
}
