import { setImmediate } from 'node:timers/promises';

/** No longer than this is a thread held that others want too: an extension host serves every extension. */
const longestMs = 8;

/** Lets others in between long work of one thread. */
export class Breather {
  #since = performance.now();

  /** Waits for a turn of the event loop when the thread was held for long; gives whether it did. */
  async breathe(): Promise<boolean> {
    if (performance.now() - this.#since < longestMs) return false;
    await setImmediate();
    this.#since = performance.now();
    return true;
  }
}
