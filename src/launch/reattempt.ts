/** Attempts at one task, as it was recorded and as people left it, by an agent as it is now. No run is disturbed by it. */
import type { Time } from '../backends/time.ts';
import type { Clock, Log } from '../engine/ports.ts';
import type { RunReader } from '../runs/runReader.ts';
import type { Reattempt } from '../shared/records/reattempt.ts';
import type { Task } from '../shared/records/task.ts';
import type { Keys } from './keys.ts';

/** Whose agent: a run's, at its newest version, whoever writes the run now; or the embedded one as it is shipped. */
export type ReattemptAgent = { run: RunReader } | { shipped: true };

export interface ReattemptAsk {
  agent: ReattemptAgent;
  /** As it was recorded. */
  task: Task;
  /** As people left it; null where nothing was edited. */
  edited: Task | null;
  /** G, attempts a side. */
  attempts: number;
  author: string;
}

export interface ReattemptTools {
  dist: URL;
  clock: Clock;
  /** The machine's when absent. */
  time?: Time;
  log: Log;
  keys: Keys;
  /** Stops it: what was attempted by then is kept. */
  signal: AbortSignal;
  /** After every attempt; `ratesOf` and `progressOf` of the records say how far it is. */
  onProgress?(now: Reattempt): void;
}

/**
 * Begins both sides with the same seeds. Attempts of a run's agent are kept in the run's `reattempts.jsonl` as they
 * finish. A stop is an outcome (`stopped`), as is an endpoint that gives up (`failed`, with its message).
 * @throws ReattemptError when it cannot begin; RunError, InputError, and the endpoint's own errors before it began
 */
export type Reattempting = (ask: ReattemptAsk, tools: ReattemptTools) => Promise<Reattempt>;
