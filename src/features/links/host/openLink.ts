/** Follows a link to a run, a family, a task or a trace. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';
import type { RunsTree } from '../../../host/trees/target.ts';
import { placeOfLink, type LinkedPlace } from '../contract.ts';
import { defined } from '../../../shared/defined.ts';

export interface LinkNeeds {
  catalog: Pick<RunCatalog, 'runs' | 'ready' | 'refresh'>;
  tree: Pick<RunsTree, 'reveal'>;
}

/** @throws Error that names the missing part */
export async function openLink(uri: vscode.Uri, needs: LinkNeeds): Promise<void> {
  const place = placeOfLink(uri);
  if (place === null) throw new Error(vscode.l10n.t('“{0}” leads to no run, task or trace.', uri.path));
  const run = await runOf(place, needs);
  const { epoch, family, task, trace } = place;
  const target = { run, ...defined({ epoch }) };
  if (trace !== undefined) await vscode.commands.executeCommand('genenv.openTrace', { ...target, trace });
  else if (task !== undefined) await vscode.commands.executeCommand('genenv.openTask', { ...target, task });
  else await needs.tree.reveal({ ...target, ...defined({ family }) });
}

async function runOf({ id }: LinkedPlace, { catalog }: LinkNeeds): Promise<RunDir> {
  await catalog.ready;
  const find = (): RunDir | undefined => catalog.runs.find(({ dir }) => basename(dir) === id)?.dir;
  const known = find();
  if (known !== undefined) return known;
  // A run that was just made may not be listed yet.
  await catalog.refresh();
  const found = find();
  if (found !== undefined) return found;
  throw new Error(
    vscode.workspace.workspaceFolders === undefined
      ? vscode.l10n.t('No folder is open. Open the one that holds the run “{0}”, then follow the link again.', id)
      : vscode.l10n.t(
          'The run “{0}” is in no folder of this window. Open the one that holds it, then follow the link again.',
          id,
        ),
  );
}
