/** Time that stands still until a test moves it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Cancel, Time } from '../../../src/endpoints/time.ts';

interface Timer {
  at: number;
  asked: number;
  ring: () => void;
}

export class ManualTime implements Time {
  #now = 1_000_000;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, ring: () => void): Cancel {
    const timer = { at: this.#now + milliseconds, asked: milliseconds, ring };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** The pending waits, in milliseconds as requested. */
  get waits(): number[] {
    return this.#timers.map(({ asked }) => asked);
  }

  /** Moves on; what is due rings in order. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.ring();
    }
    this.#now = end;
  }

  /** Lets sockets and promises proceed until this holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await turn();
  }

  /** Waits for a pending wait of at least `from` and less than `to` milliseconds, and advances the time by it. */
  async passWait(from: number, to = Infinity): Promise<number> {
    const found = () => this.waits.find((wait) => wait >= from && wait < to);
    await this.until(() => found() !== undefined);
    const wait = found() ?? 0;
    this.pass(wait);
    return wait;
  }
}
