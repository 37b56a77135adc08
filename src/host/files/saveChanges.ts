import * as vscode from 'vscode';

/** Saves a file’s open document, where it has changes: what reads or runs the file reads the disk. */
export async function saveChanges(uri: vscode.Uri): Promise<void> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open?.isDirty === true) await open.save();
}
