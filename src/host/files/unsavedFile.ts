/** A file that is not written before a person saves it: closed without saving, it leaves nothing behind. */
import * as vscode from 'vscode';

const isUnsaved = ({ scheme }: vscode.Uri): boolean => scheme === 'untitled';

/** The document that becomes this file when it is saved. */
export const unsavedAt = (path: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri, isDirty }) => isUnsaved(uri) && isDirty && uri.fsPath === path);

/**
 * Makes an unsaved document that becomes `file` when it is saved.
 * @returns its address, for an editor to open
 */
export async function unsavedFile(file: vscode.Uri, text: string): Promise<vscode.Uri> {
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled' }));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(vscode.l10n.t('The editor did not take the change; the file may be read-only.'));
  }
  return document.uri;
}

/** Closes an unsaved document without a question; what was open before is in front again. */
export async function giveUp(document: vscode.Uri): Promise<void> {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  for (const input of inputs) {
    const isOf = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
    if (!isOf || input.uri.toString() !== document.toString()) continue;
    const editor = input instanceof vscode.TabInputCustom ? input.viewType : 'default';
    await vscode.commands.executeCommand('vscode.openWith', document, editor);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}

/** Names of a folder that new files cannot have: those of files, and of documents that are to become files. */
export async function takenNames(folder: vscode.Uri): Promise<Set<string>> {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  const waiting = vscode.workspace.textDocuments
    .filter(({ uri }) => isUnsaved(uri) && uri.path.startsWith(start))
    .map(({ uri }) => uri.path.slice(start.length));
  const files = await vscode.workspace.fs.readDirectory(folder);
  return new Set([...files.map(([name]) => name), ...waiting]);
}

/** The file itself, for what reads files; an unsaved one is saved first. Undefined where the person gave up. */
export async function savedFile(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  return isUnsaved(uri) ? vscode.workspace.save(uri) : uri;
}
