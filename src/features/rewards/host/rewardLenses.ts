import * as vscode from 'vscode';

const declared = /\b(?:function|const|let|var|def)\s+reward\b|\bexports\.reward\b/;

/** Lenses above the reward function, or at the head of a file without one. */
export function rewardLenses(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): vscode.CodeLens[] {
  const lines = document.getText().split('\n');
  const line = Math.max(
    0,
    lines.findIndex((text) => declared.test(text)),
  );
  const at = new vscode.Range(line, 0, line, 0);
  const lens = (title: string, command: string): vscode.CodeLens =>
    new vscode.CodeLens(at, { title, command, arguments: [document.uri] });
  return [
    lens(vscode.l10n.t('Score the Open Trace'), 'genenv.scoreWithReward'),
    lens(vscode.l10n.t('Debug on the Open Trace'), 'genenv.debugReward'),
    lens(vscode.l10n.t('Rescore a Run…'), 'genenv.rescoreRun'),
  ];
}
