/** The unsaved edits of a file as they can be repeated over another form of it, and what is to be decided of them. */
import {
  goneEdits,
  isUndecided,
  undecidedOf,
  type AddedTask,
  type Choice,
  type Conflict,
  type ConflictField,
} from './conflicts.ts';
import type { EditedTasks } from '../editedTasks.ts';
import { editedLine } from '../fileLine.ts';
import type { MadeEdit } from './mergeEdits.ts';
import type { RowName } from '../taskTable.ts';
import { isSame, pick, type RowChange, type TaskPart, type ValueName } from '../taskValues.ts';

/** Lines of so many tasks are kept, for the case that something else removes them. */
const mostKept = 20_000;
/** So many tasks before each are known, as some of them may be removed with it. */
const neighbours = 4;

export interface Decision {
  changes: RowChange[];
  /** Marks the fields as decided, or as they were before. */
  set: (direction: 'forth' | 'back') => void;
}

export class UnsavedEdits {
  readonly #tasks: EditedTasks;
  /** Of rows that were edited: their names and lines, as the file had them. It may hold others once something writes it. */
  readonly #origins = new Map<number, RowName & { text: string | null; follows: readonly string[] }>();
  #conflicts: readonly Conflict[];

  constructor(tasks: EditedTasks, conflicts: readonly Conflict[] = []) {
    this.#tasks = tasks;
    this.#conflicts = conflicts;
  }

  get conflicts(): readonly Conflict[] {
    return this.#conflicts;
  }

  /** Before an edit of these rows is made. @throws RunError */
  async remember(changes: readonly RowChange[]): Promise<void> {
    if (this.#tasks.source.kind !== 'file') return;
    const rows = changes.map(({ row }) => row).filter((row) => !this.#origins.has(row));
    const { table } = this.#tasks.source;
    const before = (row: number): number[] => Array.from({ length: Math.min(row, neighbours) }, (_, i) => row - 1 - i);
    const names = await table.namesOf(
      rows.length > mostKept ? rows : [...new Set(rows.flatMap((row) => [row, ...before(row)]))],
    );
    for (const row of rows) {
      const name = names.get(row);
      const follows = before(row).flatMap((one) => names.get(one)?.key ?? []);
      if (name !== undefined) this.#origins.set(row, { ...name, text: null, follows });
    }
    if (this.#origins.size > mostKept) return;
    for await (const { row, text } of table.texts(rows)) {
      const origin = this.#origins.get(row);
      if (origin !== undefined) origin.text = text;
    }
  }

  /** All of them. */
  edits(): MadeEdit[] {
    const { working } = this.#tasks;
    const here = working.dirty.flatMap((row): MadeEdit[] => {
      const change = working.changeOf(row);
      const origin = this.#origins.get(row);
      if (change === null || origin === undefined) return [];
      return [{ ...change, ...origin, undecided: undecidedOf(this.#conflicts, row) }];
    });
    return [...here, ...goneEdits(this.#conflicts)];
  }

  /** Whether tasks that the disk has no more are put back. */
  get adds(): boolean {
    return this.#back.length > 0;
  }

  /** They, each behind the nearest task before it that is there still, in the order in which they stood. @throws RunError */
  async added(): Promise<AddedTask[]> {
    const back = this.#back.toSorted((a, b) => a.row - b.row);
    if (back.length === 0) return [];
    const { count } = this.#tasks.columns;
    const names = await this.#tasks.source.table.namesOf(Array.from({ length: count }, (_, row) => row));
    const places = new Map([...names].map(([row, { key }]) => [key, row]));
    const found: AddedTask[] = [];
    for (const edit of back) {
      const { row, key, follows = [] } = edit;
      const before = follows.map((one) => places.get(one)).find((one) => one !== undefined);
      const at = before === undefined ? Math.min(row, count) : before + 1;
      found.push({ text: lineOf(edit), at });
      // The next one may stand behind this one.
      places.set(key, at - 1);
    }
    return found;
  }

  get #back(): MadeEdit[] {
    return this.#conflicts.flatMap(({ gone, fields }) =>
      gone !== null && fields.some(({ choice }) => choice === 'mine') ? [gone] : [],
    );
  }

  /** Everything is saved. */
  settle(): void {
    this.#origins.clear();
    this.#conflicts = [];
  }

  /** @returns null where nothing is to be decided */
  decide(key: string | null, field: string | null, choice: Choice): Decision | null {
    const chosen: { conflict: Conflict; field: ConflictField; before: Choice | null }[] = [];
    const changes: RowChange[] = [];
    for (const conflict of this.#conflicts) {
      if (key === null ? !isUndecided(conflict) : conflict.key !== key) continue;
      const fields = conflict.fields.filter(
        (one) => (field === null || one.name === field) && (key === null ? one.choice === null : one.choice !== choice),
      );
      for (const one of fields) chosen.push({ conflict, field: one, before: one.choice });
      const { row } = conflict;
      if (row === null) continue;
      const now = this.#tasks.partOf(row);
      const names = fields.flatMap(({ name }): ValueName[] => (name === 'task' ? [] : withPlan(name, conflict.mine)));
      // Typed since: that is mine.
      for (const one of fields.filter((undecided) => undecided.choice === null)) {
        if (one.name !== 'task') conflict.mine = { ...conflict.mine, ...pick(now, withPlan(one.name, conflict.mine)) };
      }
      const after = pick(choice === 'mine' ? conflict.mine : conflict.theirs, names);
      const changed = names.filter((name) => !isSame(now[name], after[name]));
      if (changed.length > 0) changes.push({ row, before: pick(now, changed), after: pick(after, changed) });
    }
    if (chosen.length === 0) return null;
    const set = (direction: 'forth' | 'back'): void => {
      for (const one of chosen) one.field.choice = direction === 'forth' ? choice : one.before;
    };
    return { changes, set };
  }

  /** A conflict's fields, mine as they are now. */
  mineOf({ row, mine, fields }: Conflict): TaskPart {
    if (row === null) return mine;
    const typed = fields.flatMap(({ name, choice }): ValueName[] =>
      choice === 'theirs' || name === 'task' ? [] : [name],
    );
    return { ...mine, ...pick(this.#tasks.partOf(row), typed) };
  }
}

/** The plan goes with its prompt. */
const withPlan = (name: ValueName, mine: TaskPart): ValueName[] =>
  name === 'prompt' && 'plan' in mine ? ['prompt', 'plan'] : [name];

/** A task's line with its edits. */
export const lineOf = ({ text, after }: MadeEdit): string => editedLine(text ?? '', after) ?? '';
