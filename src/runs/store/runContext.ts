import type { Clock, Log } from '../../engine/ports.ts';
import type { FileOperations } from '../files/fileOperations.ts';
import type { IndexProgress } from '../records/recordLog.ts';

/** The environment of readers and writers: clock, log, files. */
export interface RunContext {
  clock: Clock;
  log: Log;
  files: FileOperations;
  /** Resolves after so many milliseconds; the machine's when absent. */
  sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Called while an index is rebuilt. */
  onIndexing?: ((progress: IndexProgress) => void) | undefined;
}
