/** Edits of a run's tasks by hand, checked before they are made. */
import * as l10n from '@vscode/l10n';
import { RemediedError } from '../shared/reasonedError.ts';
import { applyEvent, emptyState } from '../engine/state.ts';
import { overlaysOf } from '../runs/records/editTasks.ts';
import type { RunReader } from '../runs/store/runReader.ts';
import type { Task } from '../shared/records/task.ts';
import { withOverlay, type TaskEdit, type TaskOverlay } from '../shared/records/taskEdit.ts';
import { givenTasks } from './domains/openDomain.ts';
import { verifyOwn } from './scoring/verifyOwn.ts';

/** Why a task cannot be edited so. `unknown`: the run has no such task; `gold`: the domain refuses the gold. */
export class TaskEditError extends RemediedError<'unknown' | 'gold'> {
  override readonly name = 'TaskEditError';
}

/** A task as recorded, in its edited state, and its overlay. @throws TaskEditError `unknown`, RunError, InputError */
export async function editedTask(
  run: RunReader,
  id: string,
): Promise<{ recorded: Task; task: Task; overlay: TaskOverlay | undefined }> {
  let state = emptyState;
  for await (const event of run.events()) state = applyEvent(state, event);
  const given = async () => (await givenTasks(run)).find((task) => task.id === id);
  const recorded = (await run.task(id)) ?? (await given());
  if (recorded === undefined) {
    throw new TaskEditError(
      'unknown',
      l10n.t('This run has no task "{0}".', id),
      l10n.t('Ids stand in the Runs tree and in “genenv show”.'),
    );
  }
  const overlay = (await overlaysOf(run, state)).get(id);
  return { recorded, task: withOverlay(recorded, overlay), overlay };
}

/** Another gold, which the task's own domain has verified; null when it is the gold already. @throws TaskEditError, RunError, InputError */
export async function goldEdit(run: RunReader, id: string, gold: string, dist: URL): Promise<TaskEdit | null> {
  const { task } = await editedTask(run, id);
  if (task.gold === gold) return null;
  const verified = await verifyOwn(run, { ...task, gold }, dist);
  if (!verified.ok) {
    throw new TaskEditError(
      'gold',
      l10n.t('That gold does not verify: {0}.', verified.note),
      l10n.t('Correct it, or exclude the task.'),
    );
  }
  return { action: 'edit', task: id, changes: [{ field: 'gold', from: task.gold, to: gold }] };
}
