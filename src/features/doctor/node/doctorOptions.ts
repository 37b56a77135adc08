import type { Keys } from '../../../launch/access/keys.ts';
import type { Log } from '../../../engine/ports.ts';
import type { Time } from '../../../endpoints/time.ts';
import type { loadWeights } from '../../../launch/policies/weightFiles.ts';

export interface DoctorOptions {
  /** The folder of built files. */
  dist: URL;
  keys: Keys;
  log: Log;
  signal: AbortSignal;
  /** Waits, timeouts and latencies; the machine's when absent. */
  time?: Time;
  /** Weight files that an experiment brings along. */
  weights?: Awaited<ReturnType<typeof loadWeights>>;
}
