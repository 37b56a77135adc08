/** Follows a link to a run, a family, a task or a trace. */
import * as vscode from 'vscode';
import { openPlace } from '../../../host/documents/openPlace.ts';
import { runNamed } from '../../../host/runs/runNamed.ts';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';
import type { RunsTree } from '../../../host/trees/target.ts';
import { placeOfLink } from '../contract.ts';

export interface LinkNeeds {
  catalog: Pick<RunCatalog, 'runs' | 'ready' | 'refresh'>;
  tree: Pick<RunsTree, 'reveal'>;
}

/** @throws Error that names the missing part */
export async function openLink(uri: vscode.Uri, needs: LinkNeeds): Promise<void> {
  const place = placeOfLink(uri);
  if (place === null) throw new Error(vscode.l10n.t('“{0}” leads to no run, task or trace.', uri.path));
  const { id, ...at } = place;
  await openPlace({ run: await runOf(id, needs), ...at }, needs.tree);
}

async function runOf(id: string, { catalog }: LinkNeeds): Promise<RunDir> {
  const found = await runNamed(id, catalog);
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
