/** A reward's verdicts on recorded attempts for display: output, problems at their line, a sentence. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { RewardFault } from '../../../shared/rewards/outcome.ts';
import { judgedWord } from '../../../host/documents/layout/verdictWords.ts';
import { problemSource } from '../../../host/fileProblems.ts';
import { number } from '../../../shared/text/figures/numbers.ts';
import { once } from '../../../host/once.ts';
import { InlineOutcomes } from './inlineOutcomes.ts';
import { scoreLines, type Judged } from './scoreLines.ts';

export interface ShowNeeds {
  /** Where exceptions of the last score stand. */
  problems: vscode.DiagnosticCollection;
  /** Where scores are shown. */
  output: vscode.OutputChannel;
}

/** Verdicts beside the function's line. */
const inline = once(() => new InlineOutcomes());

/** Takes away the verdicts before. */
export function clearOutcomes({ problems }: Pick<ShowNeeds, 'problems'>): void {
  problems.clear();
  inline().clear();
}

/** Prints verdicts beside the recorded ones, and reports faults at their lines. */
export function showOutcomes({ problems, output }: ShowNeeds, reward: vscode.Uri, all: readonly Judged[]): void {
  const faults = all.flatMap((judged) => {
    const { fault } = judged.outcome;
    return fault === null ? [] : [{ place: placeOf(fault, reward), message: fault.message, judged }];
  });
  for (const [file, own] of Map.groupBy(faults, ({ place }) => place.uri.toString())) {
    problems.set(
      vscode.Uri.parse(file),
      own.map(({ place, message, judged: { name, document } }) => {
        const diagnostic = new vscode.Diagnostic(place.range, message);
        diagnostic.source = problemSource;
        if (document !== null) {
          const attempt = new vscode.Location(document, new vscode.Position(0, 0));
          const words = vscode.l10n.t('At this attempt: {0}', name);
          diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(attempt, words)];
        }
        return diagnostic;
      }),
    );
  }
  inline().show(reward, all);
  output.clear();
  output.appendLine(all.map((judged) => scoreLines(basename(reward.path), judged).join('\n')).join('\n\n'));
  output.show(true);
}

/** Says in a sentence how they were judged; the line that failed is one click away. */
export async function tellOutcomes(
  { output }: Pick<ShowNeeds, 'output'>,
  reward: vscode.Uri,
  all: readonly Pick<Judged, 'outcome'>[],
): Promise<void> {
  const details = vscode.l10n.t('Show Details');
  const name = basename(reward.path);
  const [first] = all;
  const fault = all.find(({ outcome }) => outcome.fault !== null)?.outcome.fault ?? null;
  if (first === undefined) return;
  if (fault === null) {
    const { verdict } = first.outcome;
    const solved = all.filter(({ outcome }) => outcome.verdict.success).length;
    const text =
      all.length === 1
        ? vscode.l10n.t('{0}: {1}, reward {2}', name, judgedWord(verdict), number(verdict.reward))
        : vscode.l10n.t('{0}: {1} of {2} attempts solved', name, solved, all.length);
    if ((await vscode.window.showInformationMessage(text, details)) === details) output.show();
    return;
  }
  const line = vscode.l10n.t('Go to Line');
  const text = vscode.l10n.t('{0} gave no verdict: {1}', name, fault.message);
  const chosen = await vscode.window.showErrorMessage(text, line, details);
  if (chosen === details) output.show();
  if (chosen !== line) return;
  const { uri, range } = placeOf(fault, reward);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(range.start, range.start) });
}

/** To the end of its line; the head of the reward file for a fault without a line. */
function placeOf({ at }: RewardFault, reward: vscode.Uri): vscode.Location {
  const { file, line, column } = at ?? { file: reward.fsPath, line: 1, column: 1 };
  const range = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
  return new vscode.Location(vscode.Uri.file(file), range);
}
