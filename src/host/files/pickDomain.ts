/** Which domain file: one of the workspace, or a new one. */
import * as vscode from 'vscode';
import { findDomains } from './domainFiles.ts';

/** @param folder where a new one is written; @returns undefined when it was given up */
export async function pickDomain(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const files = await findDomains();
  const make = {
    label: `$(new-file) ${vscode.l10n.t('New Domain…')}`,
    detail: vscode.l10n.t('Starts as a complete example that you can try at once.'),
    uri: null,
  };
  const there = files.map((uri) => ({
    label: `$(symbol-method) ${vscode.workspace.asRelativePath(uri)}`,
    detail: '',
    uri,
  }));
  const title = vscode.l10n.t('Which tasks?');
  const picked = await vscode.window.showQuickPick<typeof make | (typeof there)[number]>([...there, make], {
    ignoreFocusOut: true,
    title,
  });
  if (picked === undefined) return undefined;
  return picked.uri ?? vscode.commands.executeCommand<vscode.Uri | undefined>('genenv.newDomain', folder);
}
