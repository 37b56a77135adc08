/** A trace to fork, and the task as it was attempted. */
import * as l10n from '@vscode/l10n';
import { AttemptedTasks } from '../../../launch/attemptedTasks.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';
import { playedTrace } from '../../../runs/records/playsFile.ts';
import { reattemptedTrace } from '../../../runs/records/reattemptsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { sideOfTrace, textsAfter } from '../../../shared/records/reattempt.ts';

/** @param id of a recorded trace, of a re-attempt's, a fork's or a person's. @throws ReattemptError `not-forkable`; RunError, InputError */
export async function forkSource(run: RunReader, id: string): Promise<{ trace: Trace; task: Task }> {
  const again = await reattemptedTrace(runPaths(run.dir).reattempts, id);
  const played = await playedTrace(runPaths(run.dir).plays, id);
  const trace = again?.trace ?? played?.trace ?? (await run.trace(id));
  if (trace == null) {
    throw new ReattemptError(
      'not-forkable',
      l10n.t('This run has no trace "{0}".', id),
      l10n.t('Ids stand in “genenv search”.'),
    );
  }
  const task = await (await AttemptedTasks.read(run)).of(trace);
  if (task === undefined) {
    const remedy = l10n.t('Choose an attempt at another task.');
    throw new ReattemptError('not-forkable', l10n.t('The task "{0}" is not recorded in this run.', trace.task), remedy);
  }
  const edited = again === null ? played?.of.edited : sideOfTrace(id) === 'after' ? textsAfter(again.of) : null;
  return { trace, task: { ...task, ...edited } };
}
