/** Where an editor's tasks come from: a task file, or a run. One interface for both. */
import type { Task } from '../../../shared/records/task.ts';
import { Breather } from '../../../runs/files/breather.ts';
import type { Need } from './rowFilter.ts';
import type { RunTasks } from './runTasks.ts';
import type { TaskColumns } from './taskColumns.ts';
import type { TaskFile } from './taskFile.ts';
import type { TaskTable } from './taskTable.ts';
import { contentOf, type TaskPart, type TaskValues } from './taskValues.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** One task of a source: as it was recorded, and as people saved it. */
export interface SourceTask {
  row: number;
  /** Its name in every reading: its id, or a digest of its line where it has none. */
  key: string;
  recorded: Task;
  saved: TaskValues;
  /** The beginning of a line of a file that is no JSON object; null for a task. */
  damaged: string | null;
}

export interface TaskSource {
  readonly kind: 'file' | 'run';
  readonly table: TaskTable;
  /** The rows there are, in ascending order; all of them when null. */
  members(): Uint32Array | null;
  /** Why people took a row out, as saved; null while it is in. Of a file after a scan. */
  excludedAt(row: number): string | null;
  /** Parts of a row's record that saved edits override; none in a file, which stores the edited form itself. */
  overlayOf(row: number): TaskPart;
  /** The record's value of content that saved edits changed. */
  recordedOf(row: number): TaskPart;
  /** @throws RunError */
  read(rows: readonly number[]): Promise<SourceTask[]>;
  /** By id or by key. Null for one that the source does not have. @throws RunError; the signal's reason */
  rowOf(id: string, signal?: AbortSignal): Promise<number | null>;
  /** @throws RunError; the signal's reason */
  learn(need: Need, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** @param flags computes the flags of all rows */
export function fileSource(file: TaskFile, flags: (signal: AbortSignal) => Promise<void>): TaskSource {
  const { table } = file;
  let places: Map<string, number> | null = null;
  return {
    kind: 'file',
    table,
    members: () => null,
    excludedAt: (row) => file.excluded.get(row) ?? null,
    overlayOf: () => ({}),
    recordedOf: () => ({}),
    async read(rows) {
      const read = await table.read(rows);
      return read.map(({ task, key, excluded, tags, damaged }, i) => ({
        row: rows[i] ?? outOfRange(),
        key,
        recorded: task,
        saved: { ...contentOf(task), excluded, tags },
        damaged,
      }));
    },
    async rowOf(id, signal) {
      await table.scan(signal);
      // The first of two rows with one id: the other is reported as a duplicate.
      places ??= await placesOf(table.columns);
      return places.get(id) ?? null;
    },
    async learn(need, signal) {
      // A file's facts are all in its lines; it has no attempts.
      await table.scan(signal);
      if (need === 'flags') await flags(signal);
    },
    close: () => table.close(),
  };
}

async function placesOf({ ids, lines }: TaskColumns): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  const breather = new Breather();
  for (const [row, id] of ids.entries()) {
    if ((row & 0xfff) === 0) await breather.breathe();
    if (!places.has(id)) places.set(id, row);
    const line = lines.get(row);
    if (line !== undefined && !places.has(line)) places.set(line, row);
  }
  return places;
}

/** @param flags computes the flags of all rows */
export function runSource(run: RunTasks, flags: (signal: AbortSignal) => Promise<void>): TaskSource {
  const { table } = run;
  return {
    kind: 'run',
    table,
    members: () => run.members(),
    excludedAt: (row) => run.overlayOf(row).excluded ?? null,
    overlayOf: (row) => run.overlayOf(row),
    recordedOf: (row) => run.recordedOf(row),
    async read(rows) {
      const read = await table.read(rows);
      return read.map(({ task }, i) => {
        const row = rows[i] ?? outOfRange();
        return { row, key: task.id, recorded: task, saved: savedOf(task, run.overlayOf(row)), damaged: null };
      });
    },
    rowOf: (id) => run.rowOf(id),
    async learn(need, signal) {
      if (need === 'standing') return;
      if (need === 'scan') await table.scan(signal);
      else if (need === 'scores') await run.scores();
      else await flags(signal);
    },
    close: () => run.close(),
  };
}

const savedOf = (task: Task, over: TaskPart): TaskValues => ({
  ...contentOf(task),
  ...(over.prompt !== undefined && { plan: '' }),
  excluded: null,
  tags: [],
  ...over,
});
