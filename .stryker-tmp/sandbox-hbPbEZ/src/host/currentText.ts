import * as vscode from 'vscode';

/** A file's text as it is in the editor, changes that are not saved included; else on disk. @throws FileSystemError */
export async function currentText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
