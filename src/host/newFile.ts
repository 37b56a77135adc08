/** Asks for the language and the name of a new file from a template. */
import * as vscode from 'vscode';
import type { RewardLanguage } from '../shared/rewards/rewardFile.ts';
import { SteerError } from './runs/steerError.ts';

export interface FileTemplate {
  language: RewardLanguage;
  /** Of the file's name, after its stem. */
  ending: string;
}

interface Asked<T> {
  template: T;
  folder: vscode.Uri;
  uri: vscode.Uri;
  /** Names in the folder. */
  taken: ReadonlySet<string>;
}

interface Asking<T> {
  title: string;
  templates: readonly T[];
  /** Further names that the file brings with it. */
  beside?: (file: string) => readonly string[];
}

/**
 * @param argument the folder it is written into, where the command was called on one
 * @returns undefined when it was given up. @throws SteerError `no-folder`
 */
export async function askNewFile<T extends FileTemplate>(
  argument: unknown,
  { title, templates, beside = () => [] }: Asking<T>,
): Promise<Asked<T> | undefined> {
  const folder = argument instanceof vscode.Uri ? argument : await homeFolder();
  if (folder === undefined) return undefined;
  const labels = {
    typescript: vscode.l10n.t('TypeScript'),
    javascript: vscode.l10n.t('JavaScript'),
    python: vscode.l10n.t('Python'),
  };
  const items = templates.map((template) => ({
    label: labels[template.language],
    description: `*${template.ending}`,
    template,
  }));
  const placeHolder = vscode.l10n.t('In which language?');
  // A single language needs no question.
  const picked =
    items.length === 1
      ? items[0]
      : await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title, placeHolder });
  if (picked === undefined) return undefined;
  const { template } = picked;
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file));
  const wrong = (stem: string): string | null => {
    if (!/^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u.test(stem))
      return vscode.l10n.t('Letters, digits, and - _ . between them.');
    const file = `${stem}${template.ending}`;
    const there = [file, ...beside(file)].find((name) => taken.has(name));
    return there === undefined ? null : vscode.l10n.t('{0} already exists.', there);
  };
  const stem = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title,
    prompt: vscode.l10n.t('Name of the file: NAME{0}', template.ending),
    value: 'mine',
    validateInput: (text) => wrong(text.trim()),
  });
  if (stem === undefined) return undefined;
  return { template, folder, taken, uri: vscode.Uri.joinPath(folder, `${stem.trim()}${template.ending}`) };
}

/** Types beside a new file, copied from the extension's `media`; keeps a user's changed copy. */
export async function copyTypes(
  media: vscode.Uri,
  types: string,
  { folder, taken }: Pick<Asked<unknown>, 'folder' | 'taken'>,
) {
  if (taken.has(types)) return;
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(media, types), vscode.Uri.joinPath(folder, types));
}

/** A picker asks when there is more than one. @throws SteerError `no-folder` */
export async function homeFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const [only] = folders;
  if (only === undefined)
    throw new SteerError('no-folder', vscode.l10n.t('Open a folder first: the file is written there.'));
  return only.uri;
}
