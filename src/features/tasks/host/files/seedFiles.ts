/** Tasks sent on to a file of seed tasks: added at its end, under ids of their own. */
import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import type { NowTask } from '../../node/editedTasks.ts';
import { seedLines } from '../../node/sent/seedLines.ts';
import { count } from '../../../../shared/text/figures/numbers.ts';
import { taskFilePattern, tasksViewType } from '../tasksPlace.ts';

/** Files offered at most. */
const offered = 200;

/** Asks which file; undefined when it was given up. */
export async function chooseSeedFile(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles(taskFilePattern, '**/{node_modules,.genenv}/**', offered);
  const make = { label: `$(new-file) ${vscode.l10n.t('New File…')}`, uri: null };
  const items = found
    .map((uri) => ({ label: basename(uri.fsPath), description: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const picked =
    items.length === 0
      ? make
      : await vscode.window.showQuickPick<vscode.QuickPickItem & { uri: vscode.Uri | null }>([...items, make], {
          ignoreFocusOut: true,
          title: vscode.l10n.t('Into which file of seed tasks?'),
        });
  if (picked === undefined) return undefined;
  if (picked.uri !== null) return picked.uri;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('New File of Seed Tasks'),
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, 'seeds.tasks.jsonl') }),
    filters: { [vscode.l10n.t('Tasks')]: ['jsonl'] },
  });
  if (uri === undefined || uri.path.endsWith('.tasks.jsonl')) return uri;
  // The editor recognises the file type by this ending.
  const stem = uri.path.slice(0, uri.path.length - extname(uri.path).length);
  return uri.with({ path: `${stem}.tasks.jsonl` });
}

/**
 * Adds tasks to a file, which is created if needed, and opens it. Reports tasks that cannot be seeds, and those that are
 * there already.
 * @param variation whether they are variations of themselves, with another id
 * @returns the number added @throws RunError, Error of the file system
 */
export async function addToSeeds(uri: vscode.Uri, given: readonly NowTask[], variation: boolean): Promise<number> {
  const { lines, there, left } = await seedLines(uri.fsPath, given, variation);
  const leftText =
    left === 0
      ? ''
      : vscode.l10n.t(
          '{0} were left out: excluded, rejected or held out by their run, or with a damaged line.',
          count(left),
        );
  const thereText = there === 0 ? '' : vscode.l10n.t('{0} are in {1} already.', count(there), basename(uri.fsPath));
  const notes = [thereText, leftText].filter((text) => text !== '').join(' ');
  if (lines.length === 0) throw new Error(notes);
  const handle = await open(uri.fsPath, 'a+');
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const before = size > 0 && last[0] !== 10 ? '\n' : '';
    await handle.appendFile(`${before}${lines.join('\n')}\n`);
  } finally {
    await handle.close();
  }
  await vscode.commands.executeCommand('vscode.openWith', uri, tasksViewType);
  const text = vscode.l10n.t('{0} tasks were added to {1}.', count(lines.length), basename(uri.fsPath));
  if (notes === '') vscode.window.setStatusBarMessage(text, 5000);
  else void vscode.window.showWarningMessage(`${text} ${notes}`);
  return lines.length;
}
