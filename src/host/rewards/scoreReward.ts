/** Score with Reward…: one recorded attempt judged by a person's function, in the process that judges in a run. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { openReward } from '../../launch/reward.ts';
import { InputError } from '../../launch/inputError.ts';
import type { RewardFault, RewardOutcome } from '../../shared/rewards/outcome.ts';
import { traceUri } from '../documents/place.ts';
import { judgedWord } from '../documents/verdictWords.ts';
import { diagnosticOf, problemSource } from '../fileProblems.ts';
import { figures } from '../trees/figures.ts';
import type { RecordedAttempt } from './recordedAttempt.ts';
import { scoreLines } from './scoreLines.ts';

export interface ScoreNeeds {
  /** The folder of built files. */
  dist: URL;
  /** Where exceptions of the last score stand. */
  problems: vscode.DiagnosticCollection;
  /** What is shown of each score. */
  output: vscode.OutputChannel;
}

/** @returns once the score is shown. @throws InputError when the file does not load, with a diagnostic at its line */
export async function scoreReward(
  { dist, problems, output }: ScoreNeeds,
  { run, trace, call }: RecordedAttempt,
  reward: vscode.Uri,
): Promise<RewardOutcome> {
  // The function runs from the disk.
  await vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === reward.toString())?.save();
  problems.clear();
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
      if (error instanceof InputError) showProblems(problems, error);
      throw error;
    }
  });
  if (outcome.fault !== null) {
    const { uri, range } = placeOf(outcome.fault, reward);
    const diagnostic = new vscode.Diagnostic(range, outcome.fault.message);
    diagnostic.source = problemSource;
    const attempt = new vscode.Location(traceUri(run.followed.dir, trace.id), new vscode.Position(0, 0));
    const words = vscode.l10n.t('At this attempt: {0}', trace.id);
    diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(attempt, words)];
    problems.set(uri, [diagnostic]);
  }
  output.clear();
  output.appendLine(scoreLines(basename(reward.path), trace, outcome).join('\n'));
  output.show(true);
  return outcome;
}

/** Says in a sentence how it was judged; the line that failed is one click away. */
export async function tellScore(needs: ScoreNeeds, reward: vscode.Uri, outcome: RewardOutcome): Promise<void> {
  const details = vscode.l10n.t('Show Details');
  const name = basename(reward.path);
  const { fault, verdict } = outcome;
  if (fault === null) {
    const text = vscode.l10n.t('{0}: {1}, reward {2}', name, judgedWord(verdict), figures(verdict.reward));
    if ((await vscode.window.showInformationMessage(text, details)) === details) needs.output.show();
    return;
  }
  const line = vscode.l10n.t('Go to Line');
  const text = vscode.l10n.t('{0} gave no verdict: {1}', name, fault.message);
  const chosen = await vscode.window.showErrorMessage(text, line, details);
  if (chosen === details) needs.output.show();
  if (chosen !== line) return;
  const { uri, range } = placeOf(fault, reward);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(range.start, range.start) });
}

/** To the end of its line; the head of the reward file for what happened at none. */
function placeOf({ at }: RewardFault, reward: vscode.Uri): vscode.Location {
  const { file, line, column } = at ?? { file: reward.fsPath, line: 1, column: 1 };
  const range = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
  return new vscode.Location(vscode.Uri.file(file), range);
}

function showProblems(collection: vscode.DiagnosticCollection, { problems }: InputError): void {
  for (const [file, own] of Map.groupBy(problems, (problem) => problem.file)) {
    collection.set(
      vscode.Uri.file(file),
      own.map((problem) => diagnosticOf(problem, '')),
    );
  }
}
