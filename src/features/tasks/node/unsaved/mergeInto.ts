/** Repeats unsaved edits over a file that was read again. */
import type { Conflict } from './conflicts.ts';
import type { EditedTasks } from '../editedTasks.ts';
import { mergeEdit, placesNow, type MadeEdit } from './mergeEdits.ts';
import { isSame, valueNames, type RowChange, type ValueName } from '../taskValues.ts';

export interface Merged {
  changes: RowChange[];
  conflicts: Conflict[];
  /** Where tasks stand now that stood elsewhere, and the parts of them that the disk has not changed. */
  moved: ReadonlyMap<number, { row: number; names: readonly ValueName[] }>;
  /** Tasks that are the same here and there now, so that nothing is left to save of them. */
  equal: number;
  /** Edits of tasks that are gone and were too many to be kept. */
  lost: number;
}

/** @throws RunError */
export async function mergeInto(tasks: EditedTasks, edits: readonly MadeEdit[]): Promise<Merged> {
  const places = await placesIn(tasks, edits);
  const found = [...new Set(places.filter((row) => row !== null))].sort((a, b) => a - b);
  const theirs = new Map((await tasks.at(found)).map((task) => [task.row, task]));
  const changes: RowChange[] = [];
  const conflicts: Conflict[] = [];
  const moved = new Map<number, { row: number; names: readonly ValueName[] }>();
  let equal = 0;
  let lost = 0;
  for (const [i, edit] of edits.entries()) {
    const task = theirs.get(places[i] ?? -1);
    if (task === undefined || task.damaged !== null) {
      if (edit.text === null) lost += 1;
      else conflicts.push(goneConflict(edit));
      continue;
    }
    const { row } = task;
    const { before, after, undecided } = mergeEdit(edit, task.saved);
    const mine = Object.keys(after).length > 0;
    if (mine) changes.push({ row, before, after });
    else equal += 1;
    if (undecided.length > 0) conflicts.push(rowConflict(task.recorded.id, { row, before, after }, undecided));
    moved.set(edit.row, { row, names: valuesLeft(edit, before) });
  }
  return { changes, conflicts, moved, equal, lost };
}

/** Where the tasks stand; null for those that are gone. A run's tasks are asked for one by one, as its records are many. */
async function placesIn({ source, columns }: EditedTasks, edits: readonly MadeEdit[]): Promise<(number | null)[]> {
  if (source.kind === 'run') return Promise.all(edits.map(({ key }) => source.rowOf(key)));
  await source.learn('scan', new AbortController().signal);
  return placesNow(edits, { count: columns.count, keyOf: (row) => columns.keyOf(row) });
}

/** A task that both changed: `before` as the disk has it, `after` as it is here. */
function rowConflict(id: string, { row, before, after }: RowChange, undecided: readonly ValueName[]): Conflict {
  const fields = undecided.map((name) => ({ name, choice: null }));
  return { key: `row ${row}`, row, id, mine: after, theirs: before, fields, gone: null };
}

/** A task that was edited here, and that the disk has no more. */
const goneConflict = (edit: MadeEdit): Conflict => ({
  ...{ key: `gone ${edit.id} ${edit.row}`, row: null, id: edit.id, mine: edit.after, theirs: {} },
  ...{ fields: [{ name: 'task', choice: null }], gone: edit },
});

/** Parts with one and the same value before the edit and on the disk: an earlier step can still be undone in them. */
const valuesLeft = ({ before }: MadeEdit, theirs: RowChange['before']): ValueName[] =>
  valueNames.filter((name) => name in theirs && isSame(theirs[name], before[name]));
