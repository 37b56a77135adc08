import { hostname } from 'node:os';
import type { Clock } from '../../engine/ports.ts';
import { writeError } from '../files/fileErrors.ts';
import type { FileOperations } from '../files/fileOperations.ts';
import { sessionVersion, type SessionEntry, type SessionEvent } from './sessionEvent.ts';

/** A line of `sessions.jsonl`, stamped with time, host and process. */
export function sessionLine(entry: SessionEntry, clock: Clock): Buffer {
  const event: SessionEvent = { v: sessionVersion, at: clock.now(), host: hostname(), pid: process.pid, ...entry };
  return Buffer.from(`${JSON.stringify(event)}\n`);
}

/** Makes the sessions of a run that is being put together, before it has a writer. @throws RunError */
export async function beginSessions(
  path: string,
  entry: SessionEntry,
  { clock, files }: { clock: Clock; files: FileOperations },
): Promise<void> {
  try {
    await files.replace(path, [sessionLine(entry, clock)]);
  } catch (error) {
    throw writeError(error, path);
  }
}
