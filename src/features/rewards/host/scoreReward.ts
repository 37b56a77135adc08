/** Score with Reward…: one recorded attempt judged by a person's function, in the process that judges in a run. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { openReward } from '../../../launch/scoring/reward.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import type { RewardOutcome } from '../../../shared/rewards/outcome.ts';
import { traceUri } from '../../../host/documents/layout/place.ts';
import { problemsByFile } from '../../../host/fileProblems.ts';
import type { RecordedAttempt } from './recordedAttempt.ts';
import { clearOutcomes, showOutcomes, type ShowNeeds } from './showOutcomes.ts';

export interface ScoreNeeds extends ShowNeeds {
  /** The folder of built files. */
  dist: URL;
}

/** @returns once the score is shown. @throws InputError when the file does not load, with a diagnostic at its line */
export async function scoreReward(
  { dist, problems, output }: ScoreNeeds,
  { run, trace, call }: RecordedAttempt,
  reward: vscode.Uri,
): Promise<RewardOutcome> {
  // The function runs from the disk.
  await vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === reward.toString())?.save();
  clearOutcomes({ problems });
  const title = vscode.l10n.t('Scoring {0} with {1}', trace.id, basename(reward.path));
  const outcome = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
    try {
      const host = await openReward(run.followed.experiment, reward.fsPath, dist, 1);
      try {
        return await host.judge(call);
      } finally {
        host.dispose();
      }
    } catch (error) {
      if (error instanceof InputError) problemsByFile(problems, error.problems);
      throw error;
    }
  });
  const document = traceUri(run.followed.dir, trace.id);
  showOutcomes({ problems, output }, reward, [{ name: trace.id, before: trace.verdict, document, outcome }]);
  return outcome;
}
