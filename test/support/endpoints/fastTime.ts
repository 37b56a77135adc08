/** Time that passes faster than it does: what would be minutes of waiting is seconds of a test. */
import { machineTime, type Time } from '../../../src/endpoints/time.ts';

export class FastTime implements Time {
  readonly #speed: number;
  /** Added to what it is: a clock that jumps. */
  ahead = 0;

  constructor(speed: number) {
    this.#speed = speed;
  }

  now(): number {
    return machineTime.now() * this.#speed + this.ahead;
  }

  after(milliseconds: number, ring: () => void) {
    return machineTime.after(milliseconds / this.#speed, ring);
  }
}
