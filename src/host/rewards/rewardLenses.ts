import * as vscode from 'vscode';

const declared = /\b(?:function|const|let|var|def)\s+reward\b|\bexports\.reward\b/;

/** Above the reward function, or at the head of a file that shows none: what can be done with it. */
export function rewardLenses(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): vscode.CodeLens[] {
  const lines = document.getText().split('\n');
  const line = Math.max(
    0,
    lines.findIndex((text) => declared.test(text)),
  );
  const title = vscode.l10n.t('Score the Open Trace');
  const command = { title, command: 'genenv.scoreWithReward', arguments: [document.uri] };
  return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)];
}
