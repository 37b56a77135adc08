/** The folder of a benchmark's data: from its adapter, an earlier choice, or a dialog. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { readAdapter } from '../../../benchmarks/adapter/readAdapter.ts';
import { DataError } from '../../../launch/adapters/dataError.ts';
import { dataFolder } from '../../../launch/adapters/locate.ts';
import { lookAtData } from '../../../launch/adapters/lookAtData.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import type { Adapter } from '../../../shared/adapters/schema.ts';
import { readsOutside } from '../../../host/files/readsOutside.ts';
import { currentText } from '../../../host/currentText.ts';

/** An adapter, and the absolute folder of its data. */
interface AdapterWithData {
  adapter: Adapter;
  folder: string;
}

/**
 * An adapter that comes with the extension names no folder, and is not changed: the choice for it is remembered in the
 * workspace. Null when none was chosen. @throws InputError for faults of the file
 */
export async function askData(uri: vscode.Uri, memory: vscode.Memento): Promise<AdapterWithData | null> {
  const { adapter, problems } = readAdapter(await currentText(uri), basename(uri.path));
  if (adapter === null) throw new InputError([...problems]);
  const key = `genenv.data.${basename(uri.path)}`;
  const known = dataFolder(uri.fsPath, adapter.data) ?? memory.get<string>(key) ?? null;
  let folder = known;
  for (;;) {
    const wrong =
      folder === null ? vscode.l10n.t('No folder is chosen for its data.') : await whatIsMissing(uri, adapter, folder);
    if (folder !== null && wrong === null) {
      if (folder !== dataFolder(uri.fsPath, adapter.data)) await memory.update(key, folder);
      return { adapter, folder };
    }
    const choose = vscode.l10n.t('Choose Folder…');
    const text = vscode.l10n.t('{0}: {1} {2}', adapter.name, wrong ?? '', adapter.data.obtain);
    if ((await vscode.window.showWarningMessage(text, choose)) !== choose) return null;
    const [chosen] =
      (await vscode.window.showOpenDialog({
        ...{ canSelectFiles: false, canSelectFolders: true, openLabel: vscode.l10n.t('Use Folder') },
        title: vscode.l10n.t('Where is the data of {0}?', adapter.name),
      })) ?? [];
    if (chosen === undefined) return null;
    folder = chosen.fsPath;
  }
}

/** A sentence; null where there are files of every split. */
async function whatIsMissing(uri: vscode.Uri, adapter: Adapter, folder: string): Promise<string | null> {
  try {
    const { missing, files } = await lookAtData(adapter, folder, new AbortController().signal, readsOutside(uri));
    if (files > 0) return null;
    return vscode.l10n.t('In {0} no file matches {1}.', folder, missing.join(', '));
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
}
