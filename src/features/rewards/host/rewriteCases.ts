import * as vscode from 'vscode';
import { codeOf } from '../../../shared/systemError.ts';

/**
 * Rewrites a file of cases, which may not exist yet: through the editor, so that unsaved changes are kept and the
 * change can be undone.
 */
export async function rewriteCases(uri: vscode.Uri, change: (text: string) => string): Promise<void> {
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
