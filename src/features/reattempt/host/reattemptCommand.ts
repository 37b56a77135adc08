/** Re-attempt…: a task attempted by its run's newest agent, as it was and as people left it, with what came of it. */
import * as vscode from 'vscode';
import { pooled } from '../../../engine/math/successRate.ts';
import { reattempt } from '../node/reattempt.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import { progressOf, ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import { traceUri } from '../../../host/documents/layout/place.ts';
import { runLog } from '../../../host/feedback/log.ts';
import { author } from '../../../host/runs/author.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { count, measured } from '../../../host/trees/figures.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import { parts } from '../../../host/trees/words.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { RecordFiles } from '../../../host/documents/recordFiles.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { Keys } from '../../../launch/access/keys.ts';

export interface ReattemptNeeds {
  open: OpenRuns;
  /** Documents of tasks: they show what was attempted again. */
  tasks: RecordFiles;
  failures: Failures;
  log: vscode.LogOutputChannel;
  clock: Clock;
  dist: URL;
  keys: Keys;
}

/** A slip of the keyboard must not become a bill. */
const mostAttempts = 1024;

/** @returns once it has begun to tell; null where a person decided against it. @throws SteerError, ReattemptError, … */
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
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Attempting {0} again', id),
      cancellable: true,
    },
    async (progress, cancelled) => {
      const ending = new AbortController();
      cancelled.onCancellationRequested(() => ending.abort(new Error('Cancelled.')));
      let told = 0;
      return reattempt(
        { agent: { run: followed.reader }, task: recorded, edited, attempts, author: author() },
        {
          ...{ dist: needs.dist, clock: needs.clock, keys: needs.keys, log: runLog(needs.log), signal: ending.signal },
          onProgress: (now) => {
            const { done, total } = progressOf(now);
            const message = parts(
              vscode.l10n.t('{0} of {1}', count(done), count(total)),
              measured(pooled([ratesOf(now).after])),
            );
            progress.report({ message, increment: (100 * (done - told)) / total });
            told = done;
          },
        },
      );
    },
  );
  return result;
}

async function askAttempts(task: string, usual: number): Promise<number | null> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Re-attempt {0}', task),
    prompt: vscode.l10n.t('How often? An edited task is attempted as often as it was, with the same seeds.'),
    value: String(usual),
    validateInput: (typed) =>
      /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= mostAttempts
        ? null
        : vscode.l10n.t('A whole number from 1 to {0}.', count(mostAttempts)),
  });
  return text === undefined ? null : Number(text);
}

/** Says what came of it, with a button that opens the attempts. */
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
