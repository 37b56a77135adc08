/** Delete Saves on the Server…: what a finished run saved on Tinker servers, chosen, asked about, deleted. */
import * as vscode from 'vscode';
import { pickRun } from '../../../host/commands/pickRun.ts';
import type { CommandContext } from '../../../host/commands/context.ts';
import { hasServerSaves } from '../../../host/runs/serverSaves.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

type SavesNeeds = Pick<CommandContext, 'catalog' | 'clock' | 'folders' | 'failures' | 'keys'>;

export function registerSaves({ subscriptions }: vscode.ExtensionContext, needs: SavesNeeds): void {
  const { catalog, folders, failures, keys } = needs;
  subscriptions.push(
    registerCommand('genenv.deleteSaves', (argument: unknown) =>
      failures.guard(vscode.l10n.t('No save was deleted'), async () => {
        requireTrust();
        const run = await pickRun(needs, argument, {
          title: vscode.l10n.t('Delete saves of which run?'),
          fits: ({ head }) => hasServerSaves(head),
          none: vscode.l10n.t('There is no finished run with a policy on a Tinker server.'),
        });
        if (run === undefined) return undefined;
        const { store, id } = await folders.locate(run.dir);
        const { askSaves } = await import('./askSaves.ts');
        return askSaves({ store, id, name: catalog.get(run.dir)?.head.name ?? id, keys });
      }),
    ),
  );
}
