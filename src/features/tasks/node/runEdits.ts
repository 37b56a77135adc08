import type { TaskEdit } from '../../../shared/records/taskEdit.ts';
import type { RowChange, TaskPart } from './taskValues.ts';

type Edit = Extract<TaskEdit, { action: 'edit' }>;

/** The unsaved edits of a task as edits for its run's journal, in reading order. */
export function editsOf(
  task: string,
  { before, after }: Omit<RowChange, 'row'>,
  measured?: Edit['measured'],
): TaskEdit[] {
  const changes: Edit['changes'] = [];
  if (before.prompt !== undefined && after.prompt !== undefined) {
    changes.push({ field: 'prompt', from: before.prompt, to: after.prompt });
  }
  if (before.tools !== undefined && after.tools !== undefined) {
    changes.push({ field: 'tools', from: before.tools, to: after.tools });
  }
  if (before.evaluation !== undefined && after.evaluation !== undefined) {
    changes.push({ field: 'evaluation', from: before.evaluation, to: after.evaluation });
  }
  if (before.gold !== undefined && after.gold !== undefined) {
    changes.push({ field: 'gold', from: before.gold, to: after.gold });
  }
  const edits: TaskEdit[] = [];
  if (changes.length > 0) {
    const tried = measured === undefined ? {} : { measured: pickMeasured(measured) };
    edits.push({ action: 'edit', task, changes, ...tried });
  }
  if (after.tags !== undefined) edits.push({ action: 'tag', task, tags: [...after.tags] });
  if (after.excluded === null) edits.push({ action: 'restore', task });
  else if (after.excluded !== undefined) edits.push({ action: 'exclude', task, reason: after.excluded });
  return edits;
}

/** The record's value of the content that this edit and earlier ones changed: the first edit of a field contains it. */
export const recordedBefore = ({ changes }: Edit, known: TaskPart = {}): TaskPart => ({
  ...Object.fromEntries(changes.map(({ field, from }) => [field, from])),
  ...known,
});

const pickMeasured = ({ version, before, after }: NonNullable<Edit['measured']>): NonNullable<Edit['measured']> => ({
  version,
  before,
  after,
});
