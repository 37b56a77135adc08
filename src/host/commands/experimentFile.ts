/** Which experiment a command is about: the file it was given, the one in the active editor, or one a person picks. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { findExperiments, isExperiment } from '../files/experimentFiles.ts';
import { savedFile } from '../files/unsavedFile.ts';

const canRun = (uri: vscode.Uri): boolean => ['file', 'untitled'].includes(uri.scheme) && isExperiment(uri);

/** @returns undefined when nothing was picked, or a person went to write a new one */
export async function pickExperiment(argument: unknown, title: string): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri && canRun(argument)) return savedFile(argument);
  const active = activeUri();
  if (active !== undefined && canRun(active)) return savedFile(active);
  const found = await findExperiments();
  if (found.length === 0) {
    await offerNew();
    return undefined;
  }
  const items = found
    .map((uri) => ({ label: basename(uri.path), description: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.description.localeCompare(b.description));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked?.uri;
}

/** The active tab's file, in a form or a text. */
function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

async function offerNew(): Promise<void> {
  const create = vscode.l10n.t('New Experiment…');
  const demo = vscode.l10n.t('Run the Demo');
  const text = vscode.l10n.t(
    'There is no experiment in this workspace yet. An experiment is a file named *.genenv.json.',
  );
  const chosen = await vscode.window.showInformationMessage(text, create, demo);
  if (chosen === create) await vscode.commands.executeCommand('genenv.newExperiment');
  else if (chosen === demo) await vscode.commands.executeCommand('genenv.runDemo');
}
