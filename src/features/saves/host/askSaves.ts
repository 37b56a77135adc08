/** Which saves of a run to delete: a list with sizes and dates, then a question that cannot be missed. */
import * as vscode from 'vscode';
import type { Keys } from '../../../launch/access/keys.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import { bytes } from '../../../shared/text/figures/bytes.ts';
import { moment } from '../../../shared/text/figures/moments.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { deleteSaves, refuseUnfinished, type Deletion } from '../node/deleteSaves.ts';
import { runSaves, type RunSave, type RunSaves, type SavesTools } from '../node/runSaves.ts';

interface Asked {
  store: RunStore;
  id: string;
  name: string;
  keys: Keys;
}

/** @returns undefined where nothing was deleted. @throws SavesError, RunError, EndpointError */
export async function askSaves({ store, id, name, keys }: Asked): Promise<Deletion | undefined> {
  await refuseUnfinished(store, id);
  const found = await during(vscode.l10n.t('Looking for the saves of “{0}”', name), (signal) =>
    listed(store, id, { keys, signal }),
  );
  const free = found.saves.filter(({ neededBy }) => neededBy.length === 0);
  const needed = found.saves.filter(({ neededBy }) => neededBy.length > 0);
  const stays = needed.length === 0 ? '' : neededText(needed);
  if (free.length === 0) {
    const nothing = vscode.l10n.t('“{0}” has no saves on its servers that could be deleted.', name);
    void vscode.window.showInformationMessage(`${nothing} ${stays}`.trim());
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(free.map(itemOf), {
    ...{ canPickMany: true, matchOnDescription: true, matchOnDetail: true },
    title: vscode.l10n.t('Which saves of “{0}” to delete?', name),
    placeHolder: stays,
  });
  if (picked === undefined || picked.length === 0) return undefined;
  const question =
    picked.length === 1
      ? vscode.l10n.t('Delete {0} on its server?', picked[0]?.save.handle ?? '')
      : vscode.l10n.t('Delete {0} saves of “{1}” on their servers?', count(picked.length), name);
  const warning = vscode.l10n.t(
    'They cannot be restored. A version without its save cannot be sampled, talked to, forked or branched from any more; its recorded tasks and traces stay.',
  );
  const yes = vscode.l10n.t('Delete for Good');
  const detail = [warning, stays].filter((text) => text !== '').join('\n\n');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return undefined;
  const handles = new Set(picked.map(({ save }) => save.handle));
  const done = await during(vscode.l10n.t('Deleting saves of “{0}”', name), (signal) =>
    deleteSaves(store, id, handles, { keys, signal }),
  );
  tell(done);
  return done;
}

async function listed(store: RunStore, id: string, tools: SavesTools): Promise<RunSaves> {
  const run = await store.openReader(id);
  try {
    return await runSaves(store, run, tools);
  } finally {
    await run.close();
  }
}

const during = <T>(title: string, work: (signal: AbortSignal) => Promise<T>): Thenable<T> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      const ending = new AbortController();
      token.onCancellationRequested(() => ending.abort(new vscode.CancellationError()));
      return work(ending.signal);
    },
  );

function itemOf(save: RunSave): vscode.QuickPickItem & { save: RunSave } {
  const { role, place, bytes: size, time, handle } = save;
  const whose = role === 'agent' ? vscode.l10n.t('agent') : vscode.l10n.t('environment');
  const what = place.kind === 'weights' ? vscode.l10n.t('to train on') : vscode.l10n.t('to sample from');
  const words = [whose, what, ...(size === null ? [] : [bytes(size)]), ...(time === null ? [] : [moment(time)])];
  return { label: place.name, description: words.join(' · '), detail: handle, save };
}

function neededText(needed: readonly RunSave[]): string {
  const runs = [...new Set(needed.flatMap(({ neededBy }) => neededBy))];
  return vscode.l10n.t('{0} more stay: {1} needs them.', count(needed.length), runs.join(', '));
}

function tell({ deleted, stayed }: Deletion): void {
  if (stayed.length > 0) {
    const text = vscode.l10n.t(
      '{0} saves were deleted. The server did not delete {1}.',
      count(deleted.length),
      stayed.join(', '),
    );
    void vscode.window.showWarningMessage(text);
  } else void vscode.window.showInformationMessage(vscode.l10n.t('{0} saves were deleted.', count(deleted.length)));
}
