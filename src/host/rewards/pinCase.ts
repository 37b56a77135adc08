/** Pin as Case…: a recorded attempt, with the verdict that a reward must give it, in the file of cases beside the reward. */
import * as vscode from 'vscode';
import { casesFile, pinnedCase, withCase } from '../../shared/rewards/cases.ts';
import { codeOf } from '../../shared/systemError.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { judgedWord } from '../documents/verdictWords.ts';
import { rate } from '../trees/figures.ts';
import type { RecordedAttempt } from './recordedAttempt.ts';

interface Expected {
  success: boolean;
  reward?: number;
}

/** @returns the file of cases; undefined when it was given up */
export async function pinCase(
  { run, trace, call }: RecordedAttempt,
  reward: vscode.Uri,
): Promise<vscode.Uri | undefined> {
  const expected = await askExpected(trace.id, trace.verdict);
  if (expected === undefined) return undefined;
  const uri = reward.with({ path: casesFile(reward.path) });
  const source = { run: run.followed.manifest.id, trace: trace.id };
  await rewrite(uri, (text) => withCase(text, pinnedCase(call, expected, source, '')));
  return uri;
}

async function askExpected(trace: string, verdict: Verdict): Promise<Expected | undefined> {
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
  const title = vscode.l10n.t('Pin {0} as a case', trace);
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Which verdict is right?'),
  });
  return picked?.expected;
}

/** Through the editor, so that what is not saved there is kept and the change can be undone. */
async function rewrite(uri: vscode.Uri, change: (text: string) => string): Promise<void> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (codeOf(error) !== 'FileNotFound') throw error;
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(change('')));
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(uri, whole, change(document.getText()));
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) {
    throw new Error(vscode.l10n.t('{0} could not be written.', uri.fsPath));
  }
}
