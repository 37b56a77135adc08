/** The commands of the extension: every one is registered here, so that none takes a lost row for a call without one. */
import * as vscode from 'vscode';
import { lacksRow } from './lacksRow.ts';

/** Calls no work without the row that was clicked: it would ask which one, or act on another. */
export function registerCommand(
  command: string,
  run: Parameters<typeof vscode.commands.registerCommand>[1],
): vscode.Disposable {
  return vscode.commands.registerCommand(command, async (...given: unknown[]): Promise<unknown> => {
    if (!lacksRow(given) || !(await import('./lostRow.ts')).isLostRow(command, given)) return run(...given);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('VS Code redrew the row at the moment of the click. Click it again.'),
    );
    return undefined;
  });
}
