/** Use as Seed Tasks: a split's tasks as a task file that an experiment can name. */
import * as vscode from 'vscode';
import { writeSeedTasks } from '../../../launch/adapters/seedTasks.ts';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { readyAdapter } from './adapterReady.ts';
import { readsOutside } from '../../../host/files/readsOutside.ts';

export async function seedsCommand(uri: vscode.Uri): Promise<void> {
  requireTrust();
  const ready = await readyAdapter(uri);
  if (ready === undefined) return;
  const { adapter, folder } = ready;
  const split = await pickSplit(adapter);
  if (split === undefined) return;
  const [home] = vscode.workspace.workspaceFolders ?? [];
  const stem = (uri.path.split('/').at(-1) ?? '').replace(/\.adapter\.json$/, '');
  const target = await vscode.window.showSaveDialog({
    ...(home !== undefined && { defaultUri: vscode.Uri.joinPath(home.uri, `${stem}-${split}.tasks.jsonl`) }),
    title: vscode.l10n.t('Where do the tasks go?'),
    filters: { [vscode.l10n.t('Tasks')]: ['jsonl'] },
  });
  if (target === undefined) return;
  const title = vscode.l10n.t('Writing the tasks of {0}', adapter.name);
  const location = vscode.ProgressLocation.Notification;
  const written = await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort());
    const options = {
      signal: ending.signal,
      outside: readsOutside(uri),
      splits: [split],
      onRecord: (_: string, records: number) => {
        if (records % 500 === 0) progress.report({ message: count(records) });
      },
    };
    try {
      return await writeSeedTasks(target.fsPath, adapter, folder, options);
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    }
  });
  if (written === null) return;
  const { tasks, leftOut } = written;
  const said = vscode.l10n.t('{0} tasks in {1}.', count(tasks), vscode.workspace.asRelativePath(target));
  const left = leftOut === 0 ? '' : ` ${vscode.l10n.t('{0} records do not fit and were left out.', count(leftOut))}`;
  const open = vscode.l10n.t('Open');
  const chosen = await vscode.window.showInformationMessage(said + left, open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
}

async function pickSplit({ data }: Adapter): Promise<string | undefined> {
  const names = Object.keys(data.splits);
  if (names.length === 1) return names[0];
  return vscode.window.showQuickPick(names, { ignoreFocusOut: true, placeHolder: vscode.l10n.t('Which split?') });
}
