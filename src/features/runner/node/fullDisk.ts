/** The wait of a runner whose queue cannot be written because the disk is full. Meanwhile nothing starts, and running runs continue. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../engine/ports.ts';
import type { RunError } from '../../../runs/store/runError.ts';

/** Milliseconds between two tries. */
const againMs = 2_000;

export class FullDisk {
  readonly #log: Log;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  /** Of the last warning. */
  #said = '';

  /** @param signal the runner ends: it waits for no space */
  constructor({ log, signal }: { log: Log; signal: AbortSignal }) {
    this.#log = log;
    this.#signal = AbortSignal.any([signal, this.#end.signal]);
  }

  /** @throws the error when the runner ends */
  async wait(error: RunError): Promise<void> {
    if (this.#said !== error.message) {
      this.#log.warn(`${error.message} The queue waits for space.`);
      this.#said = error.message;
    }
    try {
      await sleep(againMs, undefined, { signal: this.#signal });
    } catch {
      throw error;
    }
  }

  giveUp(): void {
    this.#end.abort();
  }
}
