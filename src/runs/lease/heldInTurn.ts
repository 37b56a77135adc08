/** Short work on a file that any process may replace, one at a time in all of them: two would read it as it was, and one change would be lost. */
import { setTimeout as machineSleep } from 'node:timers/promises';
import type { Clock } from '../../engine/ports.ts';
import { nodeFiles } from '../files/fileOperations.ts';
import { RunError } from '../store/runError.ts';
import { Lease } from './lease.ts';

/** The work ends before a heartbeat of its lease, which is all that a lease logs. */
const log = { info: () => undefined, warn: () => undefined };

/** Milliseconds between two looks at the lease of another process, and looks at most: ten seconds. */
const [glance, looks] = [50, 200];

export interface HeldNeeds {
  clock: Clock;
  /** The error where another process does not end. */
  refused: () => Error;
  sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** @param path of the lease @throws `refused`; RunError `disk-full`, `unwritable`; the errors of the work */
export async function heldInTurn<T>(path: string, needs: HeldNeeds, work: () => Promise<T>): Promise<T> {
  const lease = await taken(path, needs);
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

async function taken(path: string, { clock, refused, sleep = machineSleep }: HeldNeeds): Promise<Lease> {
  for (let look = 0; look < looks; look++) {
    try {
      return await Lease.take(path, { clock, log, files: nodeFiles });
    } catch (error) {
      if (!RunError.is(error, 'in-use')) throw error;
      await sleep(glance);
    }
  }
  throw refused();
}
