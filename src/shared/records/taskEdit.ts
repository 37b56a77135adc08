/**
 * Users' edits of tasks. Records never change: an edit is an overlay, and an edited or excluded task no longer trains
 * the environment, because the environment did not write that text.
 */
import * as z from 'zod';
import { defined } from '../defined.ts';
import { taskDraftSchema, type Task } from './task.ts';

const { prompt, evaluation, gold } = taskDraftSchema.shape;
const specs = taskDraftSchema.shape.tools.nullable();

/** One field of a task, before and after: the diff of an edit. */
const fieldEditSchema = z.discriminatedUnion('field', [
  z.strictObject({ field: z.literal('prompt'), from: prompt, to: prompt }),
  z.strictObject({ field: z.literal('tools'), from: specs, to: specs }),
  z.strictObject({ field: z.literal('evaluation'), from: evaluation, to: evaluation }),
  z.strictObject({ field: z.literal('gold'), from: gold, to: gold }),
]);

const rateSchema = z.strictObject({ successes: z.int().nonnegative(), attempts: z.int().nonnegative() });

export const taskEditSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('edit'),
    task: z.string(),
    changes: z.array(fieldEditSchema).min(1),
    /** p̂ of the same policy version on the original and on the edited task, where measured. */
    measured: z.strictObject({ version: z.string(), before: rateSchema, after: rateSchema }).optional(),
  }),
  /** Out of both pools. */
  z.strictObject({ action: z.literal('exclude'), task: z.string(), reason: z.string() }),
  /** Back, as it was edited. */
  z.strictObject({ action: z.literal('restore'), task: z.string() }),
  /** All its tags from now on. */
  z.strictObject({ action: z.literal('tag'), task: z.string(), tags: z.array(z.string()) }),
  /** An attempt of a person (`plays.jsonl`) into the agent pool. */
  z.strictObject({
    ...{ action: z.literal('admit'), task: z.string(), trace: z.string() },
    /** The epoch that wrote its task; null where the environment did not. */
    written: z.int().positive().nullable(),
    /** Where the run has several domains. */
    domain: z.string().optional(),
  }),
  /** Out of it again. */
  z.strictObject({ action: z.literal('withdraw'), task: z.string(), trace: z.string() }),
]);
export type TaskEdit = z.infer<typeof taskEditSchema>;

/** The edit over one task. */
export interface TaskOverlay {
  fields: Partial<Pick<Task, 'prompt' | 'evaluation' | 'gold'>> & { tools?: Task['tools'] | null };
  /** Why it is out of the pools; null while it is in. */
  excluded: string | null;
  tags: readonly string[];
  /** Attempts of people at it that are in the agent pool, in the order they came; absent without any. */
  admitted?: readonly Admitted[];
}

type Admitted = Pick<Extract<TaskEdit, { action: 'admit' }>, 'trace' | 'written' | 'domain'>;

const untouched: TaskOverlay = { fields: {}, excluded: null, tags: [] };

/** The overlay after one more edit of its task. */
export function overlayAfter(before: TaskOverlay | undefined, edit: TaskEdit): TaskOverlay {
  const overlay = before ?? untouched;
  switch (edit.action) {
    case 'edit':
      return {
        ...overlay,
        fields: { ...overlay.fields, ...Object.fromEntries(edit.changes.map(({ field, to }) => [field, to])) },
      };
    case 'exclude':
      return { ...overlay, excluded: edit.reason };
    case 'restore':
      return { ...overlay, excluded: null };
    case 'tag':
      return { ...overlay, tags: edit.tags };
    case 'admit': {
      const { trace, written } = edit;
      return withAdmitted(overlay, [
        ...others(overlay, trace),
        { trace, written, ...defined({ domain: edit.domain }) },
      ]);
    }
    case 'withdraw':
      return withAdmitted(overlay, others(overlay, edit.trace));
  }
}

const others = ({ admitted = [] }: TaskOverlay, trace: string): Admitted[] =>
  admitted.filter((one) => one.trace !== trace);

function withAdmitted(before: TaskOverlay, admitted: readonly Admitted[]): TaskOverlay {
  const overlay: TaskOverlay = { ...before, admitted };
  if (admitted.length === 0) delete overlay.admitted;
  return overlay;
}

/** The task as people left it. */
export function withOverlay(task: Task, overlay: TaskOverlay | undefined): Task {
  if (overlay === undefined) return task;
  const { tools, ...fields } = overlay.fields;
  const edited = Object.keys(overlay.fields).length > 0;
  if (!edited && overlay.excluded === null) return task;
  const now: Task = {
    ...task,
    ...fields,
    ...(overlay.excluded !== null && { status: 'rejected', note: overlay.excluded }),
  };
  delete now.generation;
  if (tools === null) delete now.tools;
  else if (tools !== undefined) now.tools = tools;
  return now;
}
