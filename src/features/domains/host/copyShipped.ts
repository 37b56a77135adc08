/** Copy Domain to Workspace…: a domain that ships, as files that can be read and edited. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { copiedFiles, copyDomain } from '../node/copyDomain.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { homeFolder } from '../../../host/newFile.ts';

/** @param argument the folder it is copied into, where it was called on one; @returns the domain file; undefined when it was given up */
export async function copyShipped(argument: unknown, dist: URL): Promise<vscode.Uri | undefined> {
  const folder = argument instanceof vscode.Uri ? argument : await homeFolder();
  if (folder === undefined) return undefined;
  const items = [
    {
      label: 'stories',
      description: vscode.l10n.t('TypeScript'),
      detail: vscode.l10n.t('Arithmetic stories in plain language. Their calculation is executed.'),
    },
    {
      label: 'reasoning',
      description: vscode.l10n.t('Python'),
      detail: vscode.l10n.t('About a hundred families of puzzles, by the package reasoning_gym.'),
    },
    {
      label: 'storekeeper',
      description: vscode.l10n.t('TypeScript'),
      detail: vscode.l10n.t(
        'Tool calls in a small shop, in a language of 64 words: prompts, over the recipe of that name.',
      ),
    },
    ...['bfcl', 'api-bank', 'bamboogle', 'alfworld', 'travelplanner'].map((label) => ({
      label,
      description: vscode.l10n.t('TypeScript'),
      detail: vscode.l10n.t('A benchmark: what the environment reads, over the recipe of that name.'),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Copy which domain?') });
  if (picked === undefined) return undefined;
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file));
  try {
    const [file] = await copyDomain(picked.label, folder.fsPath, dist);
    return file === undefined ? undefined : vscode.Uri.joinPath(folder, basename(file));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const there = copiedFiles(picked.label).find((file) => taken.has(file)) ?? '';
    void vscode.window.showErrorMessage(
      vscode.l10n.t('{0} already exists. Move it, or copy the domain into another folder.', there),
    );
    return undefined;
  }
}
