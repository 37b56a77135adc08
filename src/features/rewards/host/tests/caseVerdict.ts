/** A case's result in the Test Explorer. */
import * as vscode from 'vscode';
import type { CaseResult } from '../../../../rewards/testCases.ts';
import { wrongVerdict, type RewardCase } from '../../../../shared/rewards/cases.ts';
import type { RewardFault } from '../../../../shared/rewards/outcome.ts';
import type { Problem } from '../../../../shared/experiment/problems/problem.ts';
import type { Verdict } from '../../../../shared/records/trace.ts';
import { judgedWord } from '../../../../host/documents/layout/verdictWords.ts';
import { number } from '../../../../shared/text/figures/numbers.ts';

/** Passed, failed with the difference, or errored where the function failed: at that line. */
export function tellCase(run: vscode.TestRun, item: vscode.TestItem, one: RewardCase, result: CaseResult): void {
  const { outcome, wrong } = result;
  if (outcome === null || wrong === null) {
    run.passed(item);
    return;
  }
  const { verdict, fault } = outcome;
  if (fault !== null) {
    run.errored(item, faultMessage(fault, item));
    return;
  }
  const message = vscode.TestMessage.diff(
    wrongVerdict(one, verdict) === null
      ? vscode.l10n.t('The reward is not deterministic: the same attempt scored differently ({0}).', wrong)
      : vscode.l10n.t('{0} is expected, and the verdict is: {1}.', expectedWords(one), givenWords(one, verdict)),
    expectedWords(one),
    [givenWords(one, verdict), ...partLines(verdict)].join('\n'),
  );
  run.failed(item, at(item, message));
}

/** Of a line that holds no case. */
export function tellBroken(run: vscode.TestRun, item: vscode.TestItem, fault: string): void {
  run.errored(item, at(item, new vscode.TestMessage(fault)));
}

/** Of a reward that does not load. */
export function problemMessage({ file, line, column, message, remedy }: Problem): vscode.TestMessage {
  const told = new vscode.TestMessage(`${message} ${remedy}`.trim());
  if (file !== '')
    told.location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, column - 1));
  return told;
}

function faultMessage({ message, at: place }: RewardFault, item: vscode.TestItem): vscode.TestMessage {
  const told = new vscode.TestMessage(message);
  if (place === null) return at(item, told);
  const position = new vscode.Position(place.line - 1, place.column - 1);
  told.location = new vscode.Location(vscode.Uri.file(place.file), position);
  return told;
}

/** A message at the line of its case. */
function at({ uri, range }: vscode.TestItem, message: vscode.TestMessage): vscode.TestMessage {
  if (uri !== undefined && range !== undefined) message.location = new vscode.Location(uri, range);
  return message;
}

function expectedWords({ expected: { success, reward } }: RewardCase): string {
  const word = judgedWord({ success });
  return reward === undefined ? word : vscode.l10n.t('{0}, reward {1}', word, number(reward));
}

/** With the reward only where the case minds it. */
function givenWords({ expected }: RewardCase, verdict: Verdict): string {
  const word = judgedWord(verdict);
  return expected.reward === undefined ? word : vscode.l10n.t('{0}, reward {1}', word, number(verdict.reward));
}

const partLines = ({ parts, note }: Verdict): string[] => [
  ...Object.entries(parts ?? {}).map(([name, value]) => `  ${name}: ${number(value)}`),
  ...(note === undefined ? [] : [`  ${note}`]),
];
