import * as vscode from 'vscode';
import type { Verdict } from '../../../shared/records/trace.ts';
import { judgedWord } from '../../../host/documents/layout/verdictWords.ts';
import { rate } from '../../../shared/text/figures/numbers.ts';

/** A case's expectation; without any, every reward passes. */
export interface Expected {
  success: boolean;
  reward?: number;
}

/** Which verdict is right for a trace; undefined when it was given up. @param verdict as recorded */
export async function askExpected(
  trace: string,
  verdict: Verdict,
  title = vscode.l10n.t('Pin {0} as a case', trace),
): Promise<Expected | undefined> {
  const { success, reward, error } = verdict;
  const recorded = {
    label: vscode.l10n.t('As recorded'),
    description: vscode.l10n.t('{0}, reward {1}', judgedWord(verdict), rate(reward)),
    expected: { success, reward },
  };
  const items: (vscode.QuickPickItem & { expected: Expected })[] = [
    // A checker that failed judged nothing.
    ...(error === undefined ? [recorded] : []),
    { label: vscode.l10n.t('Solved'), description: vscode.l10n.t('any reward'), expected: { success: true } },
    { label: vscode.l10n.t('Not solved'), description: vscode.l10n.t('any reward'), expected: { success: false } },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title,
    placeHolder: vscode.l10n.t('Which verdict is right?'),
  });
  return picked?.expected;
}
