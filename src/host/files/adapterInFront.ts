import * as vscode from 'vscode';
import { isAdapter, type AdapterFile, type AdapterFiles } from './adapterFiles.ts';
import { defined } from '../../shared/defined.ts';

/** Which adapters are on offer, the likelier ones first. */
export type Offer = 'own' | 'own, then shipped' | 'shipped, then own';

/** The adapter that a command is about: the file or row it was given, the one in front, else one that a person picks. */
export async function adapterOf(
  argument: unknown,
  files: Pick<AdapterFiles, 'list'>,
  title: string,
  offer: Offer,
): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri) return argument;
  const row = uriOfRow(argument);
  if (row !== null) return row;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  if (shown && isAdapter(input.uri)) return input.uri;
  return pickAdapter(files, title, offer, () => true);
}

/** @returns undefined when it was given up @throws Error where there is nothing to pick */
export async function pickAdapter(
  files: Pick<AdapterFiles, 'list'>,
  title: string,
  offer: Offer,
  fits: (file: AdapterFile) => boolean,
): Promise<vscode.Uri | undefined> {
  const first = offer === 'shipped, then own' ? 1 : -1;
  const found = (await files.list())
    .filter((file) => (offer !== 'own' || !file.shipped) && fits(file))
    .toSorted((a, b) => first * (Number(b.shipped) - Number(a.shipped)));
  if (found.length === 0) {
    const text = vscode.l10n.t(
      'The workspace has no adapter: “New Adapter…” makes one, “Copy Adapter to Workspace…” copies one that comes with GenEnv.',
    );
    throw new Error(text);
  }
  const items = found.map(({ uri, name, shipped, adapter }) => ({
    label: name,
    description: shipped ? vscode.l10n.t('comes with GenEnv') : vscode.workspace.asRelativePath(uri),
    ...defined({ detail: adapter?.description }),
    uri,
  }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true }))?.uri;
}

/** Of a benchmark's row in the view Data. */
export function uriOfRow(argument: unknown): vscode.Uri | null {
  if (typeof argument !== 'object' || argument === null || !('file' in argument)) return null;
  const { file } = argument;
  if (typeof file !== 'object' || file === null || !('uri' in file)) return null;
  return file.uri instanceof vscode.Uri ? file.uri : null;
}
