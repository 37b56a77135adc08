/** The tasks of a source during editing: rows, queries over them, edits as data, and unsaved changes. */
import type { TasksQuery } from '../contract.ts';
import type { Task } from '../../../shared/records/task.ts';
import { Breather } from '../../../runs/files/breather.ts';
import type { QueryProblem } from './rowFilter.ts';
import type { SourceTask, TaskSource } from './taskSource.ts';
import { statuses } from './taskColumns.ts';
import { TaskView, type FilterProgress } from './taskView.ts';
import {
  contentNames,
  isSame,
  pick,
  valueNames,
  withValues,
  WorkingCopy,
  type RowChange,
  type TaskPart,
  type TaskValues,
} from './taskValues.ts';

/** One row in its edited form. */
export interface NowTask extends SourceTask {
  /** As people are leaving it. */
  now: TaskValues;
  /** The same as a task. */
  task: Task;
}

export class EditedTasks {
  readonly source: TaskSource;
  readonly working = new WorkingCopy();
  readonly view: TaskView;
  /** Content of a run's rows before a save from here: an overlay is on it before the journal has been read further. */
  readonly #recorded = new Map<number, TaskPart>();

  constructor(source: TaskSource) {
    this.source = source;
    this.view = new TaskView({
      columns: source.table.columns,
      firstLine: source.table.firstLine,
      members: () => source.members(),
      learn: (need, signal) => source.learn(need, signal),
      texts: (rows) => source.table.texts(rows),
      partOf: (row) => ({ ...source.overlayOf(row), ...this.partOf(row) }),
    });
  }

  get columns() {
    return this.source.table.columns;
  }

  /** The edits of a row made here, saved or not. */
  partOf(row: number): TaskPart {
    return this.working.partOf(row);
  }

  /** Rows whose content was edited here, saved or not. */
  editedRows(): number[] {
    return this.working.touched.filter((row) => contentNames.some((name) => name in this.working.partOf(row)));
  }

  /** @throws RunError */
  async at(rows: readonly number[]): Promise<NowTask[]> {
    return (await this.source.read(rows)).map((read) => {
      const now = { ...read.saved, ...this.working.partOf(read.row) };
      return { ...read, now, task: withValues(read.recorded, now) };
    });
  }

  /** Rows [from, to) of the matches, in order. @throws RunError */
  shown(from: number, to: number): Promise<NowTask[]> {
    return this.at([...this.view.matching.slice(from, to)]);
  }

  /** @throws as `TaskView.show` does */
  show(query: TasksQuery, signal: AbortSignal, told: FilterProgress): Promise<QueryProblem | null> {
    return this.view.show(query, signal, told);
  }

  /** An edit of one row's parts, not yet made; null where nothing would change. @throws RunError */
  async change(row: number, after: TaskPart): Promise<RowChange | null> {
    const [read] = await this.at([row]);
    if (read === undefined || read.damaged !== null) return null;
    const names = valueNames.filter(
      (name) => name in after && JSON.stringify(after[name]) !== JSON.stringify(read.now[name]),
    );
    // The plan follows the prompt, and is edited with it alone.
    const none = names.every((name) => name === 'plan');
    return none ? null : { row, before: pick(read.now, names), after: pick(after, names) };
  }

  /** Out of the pools, or back: an edit of many rows that reads no record of a run, not yet made. @throws RunError */
  async exclude(rows: Iterable<number>, reason: string | null): Promise<RowChange[]> {
    await this.#learnStanding();
    const changes: RowChange[] = [];
    const breather = new Breather();
    for (const row of rows) {
      await breather.breathe();
      const before = this.excludedAt(row);
      if (this.#isDamaged(row) || before === reason || (reason !== null && before !== null)) continue;
      changes.push({ row, before: { excluded: before }, after: { excluded: reason } });
    }
    return changes;
  }

  /** Other tags: an edit of many rows that reads no record of a run, not yet made. @throws RunError */
  async tag(rows: Iterable<number>, add: readonly string[], remove: readonly string[]): Promise<RowChange[]> {
    await this.#learnStanding();
    const changes: RowChange[] = [];
    const breather = new Breather();
    for (const row of rows) {
      await breather.breathe();
      const before = this.columns.tags.get(row) ?? [];
      const after = [...new Set([...before, ...add])].filter((tag) => !remove.includes(tag));
      if (this.#isDamaged(row)) continue;
      if (after.length === before.length && after.every((tag, i) => tag === before[i])) continue;
      changes.push({ row, before: { tags: before }, after: { tags: after } });
    }
    return changes;
  }

  /** Makes an edit, or takes it back. */
  async apply(changes: readonly RowChange[], direction: 'forth' | 'back' = 'forth'): Promise<void> {
    const breather = new Breather();
    for (let from = 0; from < changes.length; from += 1024) {
      const some = changes.slice(from, from + 1024);
      this.working.apply(some, direction);
      for (const { row } of some) this.mark(row);
      await breather.breathe();
    }
  }

  /** Updates the columns to a row's edited form. */
  mark(row: number): void {
    const part = this.working.partOf(row);
    const saved = this.source.overlayOf(row);
    const unsaved = this.working.changeOf(row)?.after ?? {};
    const tags = part.tags ?? saved.tags ?? this.columns.tags.get(row) ?? [];
    const recorded = { ...this.#recorded.get(row), ...this.source.recordedOf(row) };
    const now = { ...saved, ...part };
    const edited = contentNames.some((name) =>
      name in recorded ? !isSame(now[name], recorded[name]) : name in unsaved,
    );
    this.columns.mark(row, this.excludedAt(row) !== null, edited, tags);
  }

  /** Marks the unsaved edits of these rows as saved. */
  settle(rows: readonly number[]): void {
    for (const row of rows) {
      const before = pick(this.working.changeOf(row)?.before ?? {}, contentNames);
      // A file's line is the task itself; over a run's record the edit stays one.
      if (this.source.kind === 'file' || Object.keys(before).length === 0) continue;
      this.#recorded.set(row, { ...before, ...this.#recorded.get(row) });
    }
    this.working.settle(rows);
    for (const row of rows) this.mark(row);
  }

  /** Other editors saved edits of these rows: unsaved edits here stay. */
  rebase(rows: Iterable<number>): void {
    for (const row of rows) {
      this.working.rebase(row, this.source.overlayOf(row));
      this.mark(row);
    }
  }

  /** A row's tags and whether it is excluded are only in a file's lines. */
  async #learnStanding(): Promise<void> {
    await this.source.learn('standing', new AbortController().signal);
  }

  /** Known once its standing is. */
  #isDamaged(row: number): boolean {
    return this.columns.recorded[row] === statuses.indexOf('damaged');
  }

  /** Why a row is excluded now; null while it is not. */
  excludedAt(row: number): string | null {
    const part = this.working.partOf(row);
    return part.excluded === undefined ? this.source.excludedAt(row) : part.excluded;
  }
}
