/** Delete Run: to the trash, after asking. */
import * as vscode from 'vscode';
import type { KnownRun } from '../runs/runs.ts';
import { requireTrust, SteerError } from '../runs/steerError.ts';
import { staysElsewhere } from '../runs/staysElsewhere.ts';
import type { CommandContext, Commands } from './context.ts';
import { pickRun } from './pickRun.ts';

export const removeCommands = {
  deleteRun: {
    failed: () => vscode.l10n.t('The run was not deleted'),
    async run(context, argument) {
      requireTrust();
      const run = await pickRun(context, argument, {
        title: vscode.l10n.t('Which run to delete?'),
        fits: ({ writer }) => writer === null,
        none: vscode.l10n.t(
          'There is no run that could be deleted: one that is running has to be paused or stopped first.',
        ),
      });
      if (run === undefined) return;
      // Before a person is asked whether they are sure of something that cannot be done.
      const { store, id } = await context.folders.locate(run.dir);
      await store.refuseInUse(id);
      await ask(context, run);
    },
  },
} satisfies Commands;

async function ask({ service, catalog }: CommandContext, { dir, head }: KnownRun): Promise<void> {
  const move = vscode.l10n.t('Move to Trash');
  const question = vscode.l10n.t('Delete “{0}” with all its traces and checkpoints?', head.name);
  const stays = staysElsewhere([dir], catalog);
  const left = stays === null ? '' : `\n\n${stays}`;
  const detail = vscode.l10n.t('{0}\n\nIt can be restored from the trash.', head.id) + left;
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, move)) !== move) return;
  try {
    await service.remove(dir);
  } catch (error) {
    if (!SteerError.is(error, 'no-trash')) throw error;
    const forGood = vscode.l10n.t('Delete for Good');
    const again = vscode.l10n.t('There is no trash where this run lies. Delete “{0}” for good?', head.name);
    const warning = vscode.l10n.t('{0}\n\nIt cannot be restored.', head.id) + left;
    if ((await vscode.window.showWarningMessage(again, { modal: true, detail: warning }, forGood)) !== forGood) return;
    await service.remove(dir, 'for-good');
  }
}
