/** New Reward Function…: language, name, file, with its types and two worked cases beside it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { casesFile } from '../../shared/rewards/cases.ts';
import { SteerError } from '../runs/steerError.ts';
import { rewardTemplates, workedCases, type RewardTemplate } from './rewardTemplates.ts';

/** @param argument the folder it is written into, where it was called on one; @returns undefined when it was given up */
export async function newReward(argument: unknown, extensionUri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folder = argument instanceof vscode.Uri ? argument : await homeFolder();
  if (folder === undefined) return undefined;
  const title = vscode.l10n.t('New reward function');
  const labels = {
    typescript: vscode.l10n.t('TypeScript'),
    javascript: vscode.l10n.t('JavaScript'),
    python: vscode.l10n.t('Python'),
  };
  const items = rewardTemplates.map((template) => ({
    label: labels[template.language],
    description: `*${template.ending}`,
    template,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('In which language?'),
  });
  if (picked === undefined) return undefined;
  const { template } = picked;
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file));
  const stem = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('What is it called? The file is NAME{0}.', template.ending),
    value: 'mine',
    validateInput: (text) => wrongName(text.trim(), template, taken),
  });
  if (stem === undefined) return undefined;
  const uri = vscode.Uri.joinPath(folder, `${stem.trim()}${template.ending}`);
  const types = vscode.Uri.joinPath(folder, template.types);
  // What a person made of the types stays.
  if (!taken.has(template.types)) {
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'media', 'rewards', template.types), types);
  }
  const encoder = new TextEncoder();
  await vscode.workspace.fs.writeFile(uri.with({ path: casesFile(uri.path) }), encoder.encode(workedCases));
  await vscode.workspace.fs.writeFile(uri, encoder.encode(template.text));
  return uri;
}

function wrongName(stem: string, { ending }: RewardTemplate, taken: ReadonlySet<string>): string | null {
  if (!/^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u.test(stem)) {
    return vscode.l10n.t('Letters, digits, and - _ . between them.');
  }
  const file = `${stem}${ending}`;
  const there = [file, basename(casesFile(file))].find((name) => taken.has(name));
  return there === undefined ? null : vscode.l10n.t('There is a file {0} already.', there);
}

/** Asked for where there is more than one. @throws SteerError `no-folder` */
async function homeFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const [only] = folders;
  if (only === undefined) {
    throw new SteerError('no-folder', vscode.l10n.t('A reward function is a file of a folder: open one first.'));
  }
  return only.uri;
}
