/** The unsaved edits of a task document, stored by the editor for a closed or crashed window. */
import * as z from 'zod';
import type { EditedTasks } from '../editedTasks.ts';
import { readFileLine } from '../fileLine.ts';
import type { MadeEdit } from './mergeEdits.ts';
import { isSame, valueNames, type RowChange } from '../taskValues.ts';
import type { UnsavedEdits } from './unsavedEdits.ts';
import { taskDraftSchema } from '../../../../shared/records/task.ts';
import { defined } from '../../../../shared/defined.ts';

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
  /** Its name in every reading of its file. Not in backups of older versions. */
  key: z.string().optional(),
  before: partSchema,
  after: partSchema,
  /** Its line; not of many, as the editor writes a backup after each edit. */
  text: z.string().optional(),
  follows: z.array(z.string()).optional(),
  /** Parts that something else changed on the disk, too. */
  undecided: z.array(z.enum(valueNames)).optional(),
});
const backupSchema = z.strictObject({
  v: z.literal(1),
  rows: z.array(editSchema),
  /** Of older versions: edits of tasks that the disk has no more, which are among the others now. */
  gone: z.array(editSchema).optional(),
});
type Backup = z.infer<typeof backupSchema>;

/** Lines of so many tasks are kept with their edits. */
const mostKept = 1000;

/** @throws RunError */
export async function backupOf(tasks: EditedTasks, unsaved: UnsavedEdits): Promise<Uint8Array> {
  const edits = tasks.source.kind === 'file' ? unsaved.edits() : await runEdits(tasks);
  const rows = edits.map(({ text, follows = [], ...edit }) => ({
    ...edit,
    ...(text !== null && edits.length <= mostKept && { text, follows: [...follows] }),
  }));
  return new TextEncoder().encode(JSON.stringify({ v: 1, rows }));
}

/** A run's records are there for good: no line of them is kept. */
async function runEdits({ working, source }: EditedTasks): Promise<MadeEdit[]> {
  const { dirty } = working;
  const names = await source.table.namesOf(dirty);
  return dirty.flatMap((row) => {
    const [change, name] = [working.changeOf(row), names.get(row)];
    return change === null || name === undefined ? [] : [{ ...change, ...name, text: null, undecided: [] }];
  });
}

/** @throws Error for one that was not made by `backupOf` */
export const readBackup = (bytes: Uint8Array): Backup =>
  backupSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));

/** Its edits, to be merged with the tasks as they are now. @throws RunError */
export async function editsIn({ rows, gone = [] }: Backup, tasks: EditedTasks): Promise<MadeEdit[]> {
  const edits = [...rows, ...gone].map(({ before, after, text = null, follows = [], undecided = [], ...edit }) => ({
    ...{ ...edit, text, follows, undecided },
    before: withoutUndefined(before),
    after: withoutUndefined(after),
  }));
  const unnamed = edits.filter(({ key, text, row }) => key === undefined && text === null && row < tasks.columns.count);
  const now = new Map((await tasks.at(unnamed.map(({ row }) => row))).map((task) => [task.row, task]));
  return edits.map((edit) => {
    const task = now.get(edit.row);
    // In older versions a task without an id was known by its line: it must stand there still, as it was.
    const isThere =
      task !== undefined &&
      task.recorded.id === edit.id &&
      valueNames.every((name) => !(name in edit.before) || isSame(edit.before[name], task.saved[name]));
    const line = edit.text === null ? undefined : readFileLine(edit.text, edit.row + 1).key;
    return { ...edit, key: edit.key ?? line ?? (isThere ? task.key : edit.id) };
  });
}

type Part = z.infer<typeof partSchema>;
/** Parts that are there. */
function withoutUndefined(part: Part): RowChange['before'] {
  const { prompt: turns, tools: specs, evaluation: judged, gold: reference, plan: written, excluded, tags } = part;
  return {
    ...defined({ prompt: turns, tools: specs, evaluation: judged, gold: reference, plan: written, excluded, tags }),
  };
}
