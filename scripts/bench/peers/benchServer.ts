import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const countsSchema = z.object({
  answers: z.int(),
  scored: z.int(),
  /** Sequences that gradients were taken of, and optimiser steps. */
  data: z.int(),
  updates: z.int(),
  /** Slot-milliseconds. */
  busy: z.number(),
  /** Milliseconds of the server’s clock: first answer begun, last one ended, last update done. */
  first: z.number(),
  last: z.number(),
  updated: z.number(),
  /** The most slots that were taken at once. */
  most: z.int(),
});
export type Counts = z.infer<typeof countsSchema>;

const startedSchema = z.tuple([z.object({ url: z.string() })], z.unknown());

export interface ServerSettings {
  slots: number;
  /** Milliseconds of a median answer, and of a sequence of an update. */
  median: number;
  datum: number;
}

/** The bench's server in a process of its own. */
export class BenchServer {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #state: string;

  private constructor(url: string, child: ChildProcess, state: string) {
    this.url = url;
    this.#child = child;
    this.#state = state;
  }

  static async start(settings: ServerSettings): Promise<BenchServer> {
    const state = await mkdtemp(join(tmpdir(), 'genenv-bench-serve-'));
    const dist = new URL('../../../dist/', import.meta.url).href;
    const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [
      JSON.stringify({ ...settings, dist, state }),
    ]);
    const [{ url }] = startedSchema.parse(await once(child, 'message'));
    return new BenchServer(url, child, state);
  }

  async counts(): Promise<Counts> {
    const told = once(this.#child, 'message');
    this.#child.send('counts');
    const [counts] = z.tuple([countsSchema], z.unknown()).parse(await told);
    return counts;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
    await rm(this.#state, { recursive: true, force: true });
  }
}
