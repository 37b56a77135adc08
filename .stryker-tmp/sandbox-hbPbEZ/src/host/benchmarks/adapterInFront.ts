import * as vscode from 'vscode';
import { findAdapters, isAdapter } from './adapterFiles.ts';

/** The adapter that a command is about: the file or row it was given, the one in front, else one that a person picks. */
export async function adapterOf(argument: unknown, placeHolder: string): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri) return argument;
  const row = uriOfRow(argument);
  if (row !== null) return row;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  if (shown && isAdapter(input.uri)) return input.uri;
  const files = await findAdapters();
  const items = files.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.uri;
}

/** Of a row of the Benchmarks tree. */
export function uriOfRow(argument: unknown): vscode.Uri | null {
  if (typeof argument !== 'object' || argument === null || !('file' in argument)) return null;
  const { file } = argument;
  if (typeof file !== 'object' || file === null || !('uri' in file)) return null;
  return file.uri instanceof vscode.Uri ? file.uri : null;
}
