/** The unsaved edits of a task document, stored by the editor for a closed or crashed window. */
import * as vscode from 'vscode';
import * as z from 'zod';
import type { EditedTasks } from '../node/editedTasks.ts';
import { goneEdits, undecidedOf, type Conflict } from '../node/conflicts.ts';
import { goneConflict, rowConflict } from '../node/mergeInto.ts';
import { valueNames, type RowChange } from '../node/taskValues.ts';
import { taskDraftSchema } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';

const { prompt, tools, evaluation, gold, plan } = taskDraftSchema.shape;
const partSchema = z
  .strictObject({
    prompt,
    tools: tools.unwrap().nullable(),
    evaluation,
    gold,
    plan,
    excluded: z.string().nullable(),
    tags: z.array(z.string()),
  })
  .partial();
const editSchema = z.strictObject({
  row: z.int().nonnegative(),
  id: z.string(),
  before: partSchema,
  after: partSchema,
});
const backupSchema = z.strictObject({
  v: z.literal(1),
  /** `undecided`: parts that something else changed on the disk, too. */
  rows: z.array(editSchema.extend({ undecided: z.array(z.enum(valueNames)).optional() })),
  /** Edits of tasks that the disk has no more. */
  gone: z.array(editSchema.extend({ text: z.string(), follows: z.array(z.string()).optional() })).optional(),
});
type Backup = z.infer<typeof backupSchema>;

/** @throws RunError */
export async function backupOf(tasks: EditedTasks, conflicts: readonly Conflict[]): Promise<Uint8Array> {
  const { dirty } = tasks.working;
  const ids = await tasks.source.table.idsOf(dirty);
  const rows = dirty.flatMap((row) => {
    const change = tasks.working.changeOf(row);
    const undecided = undecidedOf(conflicts, row);
    const more = undecided.length > 0 && { undecided };
    return change === null ? [] : [{ ...change, id: ids.get(row) ?? '', ...more }];
  });
  const gone = goneEdits(conflicts).flatMap(({ row, id, before, after, text, follows = [] }) =>
    text === null ? [] : [{ row, id, before, after, text, follows: [...follows] }],
  );
  return new TextEncoder().encode(JSON.stringify({ v: 1, rows, ...(gone.length > 0 && { gone }) }));
}

/** @throws Error for one that was not made by `backupOf` */
export async function readBackup(uri: vscode.Uri): Promise<Backup> {
  return backupSchema.parse(JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))));
}

export interface TakenBackup {
  changes: RowChange[];
  conflicts: Conflict[];
  /** How many edits do not fit. */
  lost: number;
}

/** The edits that still fit: of rows with the same task, and unchanged parts. Makes none of them. */
export async function takeBackup(tasks: EditedTasks, { rows, gone = [] }: Backup): Promise<TakenBackup> {
  const there = rows.filter(({ row }) => row < tasks.columns.count);
  const now = new Map((await tasks.at(there.map(({ row }) => row))).map((task) => [task.row, task]));
  const fitting = there.filter(({ row, id, before }) => {
    const task = now.get(row);
    return (
      task?.recorded.id === id &&
      valueNames.every((name) => !(name in before) || JSON.stringify(before[name]) === JSON.stringify(task.saved[name]))
    );
  });
  const changes = fitting.map(({ row, before, after }): RowChange => ({
    row,
    before: withoutUndefined(before),
    after: withoutUndefined(after),
  }));
  const conflicts = fitting.flatMap(({ id, undecided = [] }, i) => {
    const change = changes[i];
    return change === undefined || undecided.length === 0 ? [] : [rowConflict(id, change, undecided)];
  });
  const lacking = gone.map(({ before, after, follows = [], ...edit }) =>
    goneConflict({ ...edit, follows, before: withoutUndefined(before), after: withoutUndefined(after), undecided: [] }),
  );
  return { changes, conflicts: [...conflicts, ...lacking], lost: rows.length - fitting.length };
}

type Part = z.infer<typeof partSchema>;
/** Parts that are there. */
function withoutUndefined(part: Part): RowChange['before'] {
  const { prompt: turns, tools: specs, evaluation: judged, gold: reference, plan: written, excluded, tags } = part;
  return {
    ...defined({ prompt: turns, tools: specs, evaluation: judged, gold: reference, plan: written, excluded, tags }),
  };
}
