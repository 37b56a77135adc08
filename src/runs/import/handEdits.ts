/** A run's own record of its tasks with people's edits, which the journal beside the file holds. */
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { taskSchema } from '../../shared/records/task.ts';
import { parseExactly } from '../../shared/json.ts';
import { isObject } from '../../shared/experiment/resolve.ts';
import { PoolEdits } from '../export/poolEdits.ts';
import { readJournal } from '../journal/journalFile.ts';
import { runPaths } from '../store/runPaths.ts';

type Row = Record<string, unknown>;

/** A row as people left it; one that they took out is `rejected` without a cause. */
type HandEdits = (row: Row) => Row;

/** Null for a file that is no run's record, and for one without edited tasks. @throws RunError */
export async function handEditsOf(file: string): Promise<HandEdits | null> {
  const paths = runPaths(dirname(file));
  if (basename(file) !== basename(paths.tasks.records) || !existsSync(paths.manifest)) return null;
  const edits = await PoolEdits.read({ events: () => eventsOf(paths.journal) });
  if (edits.isEmpty) return null;
  return (row) => {
    const task = taskSchema.safeParse(row).data;
    return task === undefined ? row : edits.now(task);
  };
}

/** The text of a task file with the edits in it, line for line. */
export function withHandEdits(text: string, edits: HandEdits): string {
  const edited = (line: string): string => {
    const row = parseExactly(line);
    return isObject(row) ? JSON.stringify(edits(row)) : line;
  };
  return text.split('\n').map(edited).join('\n');
}

async function* eventsOf(journal: string): AsyncGenerator<JournalEvent> {
  for await (const { event } of readJournal(journal)) yield event;
}
