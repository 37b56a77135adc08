/** Reads and extends a run's `plays.jsonl`. */
import {
  foldPlays,
  isPlayTrace,
  playEventSchema,
  playVersion,
  type Play,
  type PlayEvent,
} from '../../shared/records/play.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { appendSharedLine, readSharedLines } from '../files/sharedLines.ts';
import type { RunError } from '../store/runError.ts';
import { runPaths } from '../store/runPaths.ts';

/** In the order they were begun; a run without any has none. @throws RunError `unreadable` */
export async function readPlays(path: string): Promise<{ plays: readonly Play[]; damaged: readonly RunError[] }> {
  const { events, damaged } = await readSharedLines(path, playEventSchema, playVersion);
  return { plays: foldPlays(events), damaged };
}

/** On the device when it resolves. @throws RunError `disk-full`, `unwritable` */
export const appendPlay = (path: string, event: PlayEvent): Promise<void> => appendSharedLine(path, event);

/** A person's trace by its id, with the attempt that it ends; null for any other id. @throws RunError `unreadable` */
export async function playedTrace(path: string, id: string): Promise<{ of: Play; trace: Trace } | null> {
  if (!isPlayTrace(id)) return null;
  for (const one of (await readPlays(path)).plays) if (one.trace?.id === id) return { of: one, trace: one.trace };
  return null;
}

/** Attempts by these ids, in their order; one that is gone is left out. @throws RunError `unreadable` */
export async function admittedPlays(dir: string, ids: readonly string[]): Promise<(Play & { trace: Trace })[]> {
  if (ids.length === 0) return [];
  const { plays } = await readPlays(runPaths(dir).plays);
  const ended = new Map(
    plays.flatMap((one) => (one.trace === null ? [] : [[one.trace.id, { ...one, trace: one.trace }]])),
  );
  return ids.flatMap((id) => ended.get(id) ?? []);
}
