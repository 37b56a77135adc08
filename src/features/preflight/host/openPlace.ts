import * as vscode from 'vscode';
import type { Finding } from '../contract.ts';

/** Opens a file as text at the place of a fault, beside the page. */
export async function openPlace({ file, line, column }: Pick<Finding, 'file' | 'line' | 'column'>): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const at = new vscode.Position(line - 1, column - 1);
  const word = document.getWordRangeAtPosition(at, /"[^"]*"|[^\s,{}[\]:]+/);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: word ?? new vscode.Range(at, at),
  });
}
