/** New Adapter… from a template, and copies of those that come with the extension. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { editText } from '../../../shared/experiment/text/textEdit.ts';
import { currentText } from '../../../host/currentText.ts';
import { chooseFolder } from './adapterEditor.ts';
import { adapterTemplates, templateText } from './adapterTemplates.ts';

/** @returns the new file; undefined when it was given up */
export async function newAdapter(): Promise<vscode.Uri | undefined> {
  const items = adapterTemplates.map((template) => ({
    label: vscode.l10n.t(template.label),
    detail: vscode.l10n.t(template.detail),
    template,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('New adapter'),
    placeHolder: vscode.l10n.t('What are the records like?'),
  });
  if (picked === undefined) return undefined;
  const name = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('New adapter'),
    prompt: vscode.l10n.t('Name of the benchmark'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a name.') : undefined),
  });
  if (name === undefined) return undefined;
  const folder = await homeFolder();
  if (folder === undefined) return undefined;
  const uri = await freeName(folder, slug(name));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(templateText(picked.template, name.trim())));
  return uri;
}

/** A copy in the workspace, with the folder of its data where one was chosen. */
export async function copyAdapter(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const home = await homeFolder();
  if (home === undefined) return undefined;
  const copy = await freeName(home, basename(uri.path).replace(/\.adapter\.json$/, ''));
  const folder = await chooseFolder(copy);
  const text = await currentText(uri);
  const written = folder === null ? text : editText(text, [{ path: ['data', 'folder'], to: folder }]);
  await vscode.workspace.fs.writeFile(copy, new TextEncoder().encode(written));
  return copy;
}

/** A picker asks when there is more than one. */
async function homeFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const [only] = folders;
  if (only === undefined) throw new Error(vscode.l10n.t('An adapter is a file of a folder: open one first.'));
  return only.uri;
}

const slug = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '') || 'benchmark';

async function freeName(folder: vscode.Uri, stem: string): Promise<vscode.Uri> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file));
  for (let i = 1; ; i += 1) {
    const file = `${stem}${i === 1 ? '' : `-${i}`}.adapter.json`;
    if (!taken.has(file)) return vscode.Uri.joinPath(folder, file);
  }
}
