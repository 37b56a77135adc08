/** Tasks that were changed here and on the disk, until a person has decided on each field of each. */
import type { MadeEdit } from './mergeEdits.ts';
import type { TaskPart, ValueName } from '../taskValues.ts';

/** `mine`: as it was edited here; `theirs`: as the disk has it. */
export type Choice = 'mine' | 'theirs';

export interface ConflictField {
  /** `task`: the whole of it, which the disk has no more. */
  name: ValueName | 'task';
  choice: Choice | null;
}

export interface Conflict {
  /** Names it for the page. */
  key: string;
  /** Where it stands; null where the disk has it no more. */
  row: number | null;
  id: string;
  mine: TaskPart;
  theirs: TaskPart;
  fields: ConflictField[];
  /** Of a task that the disk has no more: everything that is needed to put it back. */
  gone: MadeEdit | null;
}

/** A task that is put back. */
export interface AddedTask {
  /** Its line. */
  text: string;
  /** The row that it stands before; as many as there are rows: last. */
  at: number;
}

export const isUndecided = ({ fields }: Conflict): boolean => fields.some(({ choice }) => choice === null);

/** A row's undecided parts. */
export const undecidedOf = (conflicts: readonly Conflict[], row: number): ValueName[] =>
  conflicts.flatMap((conflict) =>
    conflict.row !== row
      ? []
      : conflict.fields.flatMap(({ name, choice }) => (choice === null && name !== 'task' ? [name] : [])),
  );

/** Edits of tasks that the disk has no more, and that are not given up. */
export const goneEdits = (conflicts: readonly Conflict[]): MadeEdit[] =>
  conflicts.flatMap(({ gone, fields: [field] }) => (gone === null || field?.choice === 'theirs' ? [] : [gone]));
