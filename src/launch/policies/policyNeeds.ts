import type { Time } from '../../endpoints/time.ts';
import type { Schedulers } from './schedulers.ts';
import type { Log } from '../../engine/ports.ts';
import type { Keys } from '../access/keys.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';

export interface PolicyNeeds {
  /** The run's folder. */
  dir: string;
  /** Stands before anything that is written there, and throws when another process writes there now; absent: none does. */
  fence?: () => Promise<void>;
  dist: URL;
  /** Waits, timeouts and latencies. */
  time: Time;
  /** Shared by the policies of a run. */
  schedulers: Pick<Schedulers, 'of' | 'silences'>;
  /** Tries of what finds no server there, where a person waits; as many as of others when absent. */
  triesUnreachable?: number;
  log: Log;
  keys: Keys;
  signal: AbortSignal;
  /** Whether it will be trained, alone on its server or together with the other policy; absent where unknown. */
  trained?: 'alone' | 'together';
  /** Whose copy in the run's folder judges where a trainer judges by itself; absent where nothing is judged. */
  reward?: Experiment['reward'];
}
