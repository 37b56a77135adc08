/** Reads and extends a run's `notes.jsonl`. */
import { foldNotes, noteEventSchema, noteVersion, type NoteEvent, type NoteThread } from '../../shared/records/note.ts';
import type { RunError } from '../store/runError.ts';
import { appendSharedLine, readSharedLines } from '../files/sharedLines.ts';

export interface Notes {
  threads: readonly NoteThread[];
  /** Lines that could not be read, each with file, line and remedy. */
  damaged: readonly RunError[];
}

/** A run without notes has none. @throws RunError `unreadable` */
export async function readNotes(path: string): Promise<Notes> {
  const { events, damaged } = await readSharedLines(path, noteEventSchema, noteVersion);
  return { threads: foldNotes(events), damaged };
}

/** On the device when it resolves. @throws RunError `disk-full`, `unwritable` */
export const appendNote = (path: string, event: NoteEvent): Promise<void> => appendSharedLine(path, event);
