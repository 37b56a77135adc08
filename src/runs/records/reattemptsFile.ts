/** Reads and extends a run's `reattempts.jsonl`. */
import {
  foldReattempts,
  reattemptEventSchema,
  reattemptVersion,
  sideOfTrace,
  type Reattempt,
  type ReattemptEvent,
} from '../../shared/records/reattempt.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { RunError } from '../store/runError.ts';
import { appendSharedLine, readSharedLines } from '../files/sharedLines.ts';

/** In the order they were begun; a run without any has none. @throws RunError `unreadable` */
export async function readReattempts(
  path: string,
): Promise<{ reattempts: readonly Reattempt[]; damaged: readonly RunError[] }> {
  const { events, damaged } = await readSharedLines(path, reattemptEventSchema, reattemptVersion);
  return { reattempts: foldReattempts(events), damaged };
}

/** On the device when it resolves. @throws RunError `disk-full`, `unwritable` */
export const appendReattempt = (path: string, event: ReattemptEvent): Promise<void> => appendSharedLine(path, event);

/** A trace by its id, with the attempted task; null for an id of no re-attempt. @throws RunError `unreadable` */
export async function reattemptedTrace(path: string, id: string): Promise<{ of: Reattempt; trace: Trace } | null> {
  const side = sideOfTrace(id);
  if (side === null) return null;
  for (const one of (await readReattempts(path)).reattempts) {
    const trace = one.traces[side].find((made) => made.id === id);
    if (trace !== undefined) return { of: one, trace };
  }
  return null;
}
