import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { RescoreState } from '../contract/page.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** Describes the consequences. @returns whether the user confirms */
export async function confirmApply({ result, runName, reward, stale }: RescoreState): Promise<boolean> {
  if (result === null) return false;
  const apply = vscode.l10n.t('Apply');
  const { attempts, rows, fates } = result;
  const errors = fates.after.error;
  const detail = [
    vscode.l10n.t(
      'New verdicts of {0} attempts are written beside the recorded ones, which stay as they are: {1} flip.',
      count(attempts),
      count(rows.flips),
    ),
    ...(errors === 0
      ? []
      : [vscode.l10n.t('The reward failed on {0} of them: these will count as not judged.', count(errors))]),
    ...(stale ? [vscode.l10n.t('The file was saved since; what is applied is what the page shows.')] : []),
    vscode.l10n.t(
      'Documents of traces and tasks then show the new verdict with the recorded one beside it. What the run was trained with stays in its charts, pools and exports. The step is journaled and can be taken back.',
    ),
  ].join('\n\n');
  const question = vscode.l10n.t('Apply the verdicts of {0} to “{1}”?', basename(reward), runName);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, apply)) === apply;
}
