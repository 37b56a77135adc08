import * as vscode from 'vscode';

/** A file's text in the editor, with unsaved changes; else on disk. @throws FileSystemError */
export async function currentText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
