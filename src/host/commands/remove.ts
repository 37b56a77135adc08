/** Delete Run: to the trash, after asking. */
import * as vscode from 'vscode';
import { requireTrust } from '../runs/steerError.ts';
import type { Commands } from './context.ts';
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
      const { askDelete } = await import('./askDelete.ts');
      await askDelete(context, run);
    },
  },
} satisfies Commands;
