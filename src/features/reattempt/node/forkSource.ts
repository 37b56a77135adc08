/** A trace to fork, and the task as it was attempted. */
import * as l10n from '@vscode/l10n';
import { AttemptedTasks } from '../../../launch/attemptedTasks.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';
import { attemptOfAnyone } from '../../../runs/records/traceOfAnyone.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';

/** @param id of a recorded trace, of a re-attempt's, a fork's or a person's. @throws ReattemptError `not-forkable`; RunError, InputError */
export async function forkSource(run: RunReader, id: string): Promise<{ trace: Trace; task: Task }> {
  const found = await attemptOfAnyone(run, id);
  if (found === undefined) {
    throw new ReattemptError(
      'not-forkable',
      l10n.t('This run has no trace "{0}".', id),
      l10n.t('Ids stand in “genenv search”.'),
    );
  }
  const { trace, edited } = found;
  const task = await (await AttemptedTasks.read(run)).of(trace);
  if (task === undefined) {
    const remedy = l10n.t('Choose an attempt at another task.');
    throw new ReattemptError('not-forkable', l10n.t('The task "{0}" is not recorded in this run.', trace.task), remedy);
  }
  return { trace, task: { ...task, ...edited } };
}
