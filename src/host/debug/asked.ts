/** The files and runs that debug configurations name. */
import { basename, isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { RunDir } from '../runs/runs.ts';
import type { PickNeeds } from './pickTrace.ts';

/** The editor puts in its variables only later. */
export function fileOf(text: string, folder: vscode.WorkspaceFolder | undefined): vscode.Uri {
  const home = folder ?? vscode.workspace.workspaceFolders?.[0];
  const front = vscode.window.activeTextEditor?.document.uri;
  const path = text
    .replaceAll('${workspaceFolder}', home?.uri.fsPath ?? '')
    .replaceAll('${file}', front?.scheme === 'file' ? front.fsPath : '');
  return vscode.Uri.file(isAbsolute(path) ? path : resolve(home?.uri.fsPath ?? '', path));
}

/** @throws Error when there is none of this name */
export async function runOf({ catalog }: PickNeeds, run: string): Promise<RunDir> {
  if (isAbsolute(run)) return run;
  await catalog.ready;
  const known = catalog.runs.find(({ dir }) => basename(dir) === run);
  if (known === undefined) throw new Error(vscode.l10n.t('There is no run “{0}” in this workspace.', run));
  return known.dir;
}

/** Attributes for other debuggers: ours are removed, since they may have another meaning there. */
export const withoutOwn = (
  configuration: vscode.DebugConfiguration,
  own: readonly string[],
): Partial<vscode.DebugConfiguration> =>
  Object.fromEntries(Object.entries(configuration).filter(([name]) => !own.includes(name)));
