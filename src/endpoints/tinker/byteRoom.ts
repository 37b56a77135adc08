/** Bytes that may be on their way at once: what comes too early waits for what came before it. */
import { reasonOf } from '../time.ts';

interface Waiting {
  bytes: number;
  enter: () => void;
}

export class ByteRoom {
  #most: number;
  #taken = 0;
  readonly #waiting: Waiting[] = [];

  /** @param most bytes; a single piece that is larger goes alone */
  constructor(most: number) {
    this.#most = most;
  }

  /** From now on. */
  resize(most: number): void {
    this.#most = most;
    this.#admit();
  }

  /** Resolves with what gives the room back, once there is some. @throws the signal's reason */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    // A signal that was aborted before fires no event.
    signal.throwIfAborted();
    if (this.#waiting.length > 0 || !this.#fits(bytes)) await this.#wait(bytes, signal);
    else this.#taken += bytes;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#taken -= bytes;
      this.#admit();
    };
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reasonOf(signal));
        // Who stood behind a large one may fit.
        this.#admit();
      };
      const waiting: Waiting = {
        bytes,
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #admit(): void {
    for (let [first] = this.#waiting; first !== undefined && this.#fits(first.bytes); [first] = this.#waiting) {
      this.#waiting.shift();
      this.#taken += first.bytes;
      first.enter();
    }
  }

  #fits(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#most;
  }
}
