/** Waits for the writer of a run in another process. */
import { setTimeout as machineSleep } from 'node:timers/promises';
import type { Clock } from '../../engine/ports.ts';
import { liveHolder } from './leaseFile.ts';

/** Milliseconds between two looks. */
const glance = 250;

/**
 * Resolves once no live process holds the lease. The file itself is read: lists of runs lag, and may not know of a writer that has just begun.
 * @param path of the lease @throws RunError `unreadable`; the signal's reason
 */
export async function untilReleased(
  path: string,
  clock: Clock,
  signal: AbortSignal,
  sleep: (milliseconds: number) => Promise<unknown> = machineSleep,
): Promise<void> {
  while ((await liveHolder(path, clock)) !== null) {
    signal.throwIfAborted();
    await sleep(glance);
  }
}
