/**
 * Re-attempt…: the run's newest agent attempts a task, in its original and its edited form, and the result is shown.
 */
import * as vscode from 'vscode';
import { pooled } from '../../../engine/math/successRate.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import { traceUri } from '../../../host/documents/layout/place.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { askCount, attempting } from './attempting.ts';
import type { ReattemptNeeds } from './reattemptNeeds.ts';

/** @returns once the result is shown; null where the user cancelled. @throws SteerError, ReattemptError, … */
export async function reattemptTask(
  needs: ReattemptNeeds,
  run: OpenRun,
  { task: id, attempts: given }: { task: string; attempts?: number | undefined },
): Promise<Reattempt | null> {
  requireTrust();
  const { followed } = run;
  const { recorded, task, overlay } = await editedTask(followed.reader, id);
  const attempts = given ?? (await askAttempts(id, followed.experiment.rollouts.group));
  if (attempts === null) return null;
  const edited = Object.keys(overlay?.fields ?? {}).length > 0 ? task : null;
  const title = vscode.l10n.t('Attempting {0} again', id);
  return attempting(needs, title, { agent: { run: followed.reader }, task: recorded, edited, attempts });
}

const askAttempts = (task: string, usual: number): Promise<number | null> =>
  askCount(
    vscode.l10n.t('Re-attempt {0}', task),
    vscode.l10n.t('How often? An edited task is attempted as often as it was, with the same seeds.'),
    usual,
  );

/** Shows the result, with a button that opens the attempts. */
export async function tellReattempt(run: string, result: Reattempt): Promise<void> {
  const { task, version, edited, state, message, traces } = result;
  const { before, after } = ratesOf(result);
  const course = `${measured(pooled([before]))} → ${measured(pooled([after]))}`;
  const text =
    edited === null
      ? vscode.l10n.t('{0} by {1}: {2} ({3} attempts; before: as recorded).', task, version, course, after.attempts)
      : vscode.l10n.t(
          '{0} by {1}: {2} ({3} attempts a side; after: as edited).',
          task,
          version,
          course,
          after.attempts,
        );
  const first = traces.after.find(({ verdict }) => !verdict.success) ?? traces.after[0];
  const open = vscode.l10n.t('Open Attempts');
  const buttons = first === undefined ? [] : [open];
  const failed = state === 'failed' ? ` ${message ?? ''}` : state === 'stopped' ? ` ${vscode.l10n.t('Stopped.')}` : '';
  const show = state === 'failed' ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
  const chosen = await show(`${text}${failed}`, ...buttons);
  if (chosen === open && first !== undefined) {
    await vscode.window.showTextDocument(traceUri(run, first.id), { preview: true });
  }
}
