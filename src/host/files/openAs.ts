/** The two views of a file that is edited as a form or as text. */
import * as vscode from 'vscode';
import { isAdapter } from './adapterFiles.ts';
import { isExperiment } from './experimentFiles.ts';
import { isStudy } from './studyFiles.ts';
import { defined } from '../../shared/defined.ts';

/** Shows the text, with the cursor at a place if one is given. */
export async function openAsText(
  uri: vscode.Uri,
  at: vscode.Position | null,
  viewColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  await inPlace(uri, () =>
    vscode.commands.executeCommand('vscode.openWith', uri, 'default', {
      ...defined({ viewColumn }),
      ...(at !== null && { selection: new vscode.Range(at, at) }),
    } satisfies vscode.TextDocumentShowOptions),
  );
}

/** Opens the other view of a file in place of the one in front; both stay while something is not saved. */
export async function inPlace(uri: vscode.Uri, open: () => Thenable<unknown>): Promise<void> {
  const before = vscode.window.tabGroups.activeTabGroup.activeTab;
  await open();
  const after = vscode.window.tabGroups.activeTabGroup.activeTab;
  const { input } = before ?? {};
  const same =
    (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) && input.uri.path === uri.path;
  if (before === undefined || before === after || before.group !== after?.group || !same || before.isDirty) return;
  await vscode.window.tabGroups.close(before, true);
}

/** The experiment, adapter or study that a command is about: the file it was given, else the one in front. */
export function formInFront(argument: unknown): vscode.Uri | null {
  if (argument instanceof vscode.Uri) return argument;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return shown && (isExperiment(input.uri) || isAdapter(input.uri) || isStudy(input.uri)) ? input.uri : null;
}
