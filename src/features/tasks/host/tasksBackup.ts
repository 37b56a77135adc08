/** The unsaved edits of a task document, stored by the editor for a closed or crashed window. */
import * as vscode from 'vscode';
import * as z from 'zod';
import type { EditedTasks } from '../node/editedTasks.ts';
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
const backupSchema = z.strictObject({
  v: z.literal(1),
  rows: z.array(z.strictObject({ row: z.int().nonnegative(), id: z.string(), before: partSchema, after: partSchema })),
});
type Backup = z.infer<typeof backupSchema>;

/** @throws RunError */
export async function backupOf(tasks: EditedTasks): Promise<Uint8Array> {
  const { dirty } = tasks.working;
  const ids = await tasks.source.table.idsOf(dirty);
  const rows = dirty.flatMap((row) => {
    const change = tasks.working.changeOf(row);
    return change === null ? [] : [{ ...change, id: ids.get(row) ?? '' }];
  });
  return new TextEncoder().encode(JSON.stringify({ v: 1, rows }));
}

/** @throws Error for one that was not made by `backupOf` */
export async function readBackup(uri: vscode.Uri): Promise<Backup> {
  return backupSchema.parse(JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))));
}

/**
 * Repeats the edits that still fit: rows with the same task, and unchanged parts.
 * @returns the number that did not
 */
export async function takeBackup(tasks: EditedTasks, { rows }: Backup): Promise<number> {
  const there = rows.filter(({ row }) => row < tasks.columns.count);
  const now = new Map((await tasks.at(there.map(({ row }) => row))).map((task) => [task.row, task]));
  const fitting: RowChange[] = there.flatMap(({ row, id, before, after }) => {
    const task = now.get(row);
    const fits =
      task?.recorded.id === id &&
      valueNames.every(
        (name) => !(name in before) || JSON.stringify(before[name]) === JSON.stringify(task.saved[name]),
      );
    return fits ? [{ row, before: withoutUndefined(before), after: withoutUndefined(after) }] : [];
  });
  await tasks.apply(fitting);
  return rows.length - fitting.length;
}

type Part = z.infer<typeof partSchema>;
/** Parts that are there. */
function withoutUndefined(part: Part): RowChange['before'] {
  const { prompt: turns, tools: specs, evaluation: judged, gold: reference, plan: written, excluded, tags } = part;
  return {
    ...defined({ prompt: turns, tools: specs, evaluation: judged, gold: reference, plan: written, excluded, tags }),
  };
}
