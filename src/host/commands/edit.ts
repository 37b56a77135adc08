/** A task out of a run's pools, and back. */
import * as vscode from 'vscode';
import type { TaskEdit } from '../../shared/records/taskEdit.ts';
import { requireTrust } from '../runs/steerError.ts';
import { runTargetSchema } from '../trees/target.ts';
import type { CommandContext, Commands } from './context.ts';

const taskSchema = runTargetSchema.required({ task: true });

async function edit({ service }: CommandContext, run: string, made: TaskEdit): Promise<void> {
  const outcome = await service.editTasks(run, [made]);
  const text =
    outcome.state === 'waiting'
      ? vscode.l10n.t('The edit takes effect with the next epoch that is not sampled yet.')
      : vscode.l10n.t('Journaled: in effect from epoch {0}.', outcome.epoch);
  vscode.window.setStatusBarMessage(text, 5_000);
}

export const editCommands = {
  excludeTask: {
    failed: () => vscode.l10n.t('The task was not excluded'),
    async run(context, argument) {
      requireTrust();
      const { run, task } = taskSchema.parse(argument);
      const reason = await vscode.window.showInputBox({
        // The task or an attempt may be looked at meanwhile.
        ignoreFocusOut: true,
        title: vscode.l10n.t('Exclude Task {0}', task),
        prompt: vscode.l10n.t(
          'Why? It leaves both pools with the next epoch that is not sampled yet; the reason is journaled.',
        ),
        validateInput: (text) =>
          text.trim() === '' ? vscode.l10n.t('Give a reason for later readers of the run.') : null,
      });
      if (reason !== undefined) await edit(context, run, { action: 'exclude', task, reason: reason.trim() });
    },
  },
  restoreTask: {
    failed: () => vscode.l10n.t('The task was not restored'),
    async run(context, argument) {
      requireTrust();
      const { run, task } = taskSchema.parse(argument);
      await edit(context, run, { action: 'restore', task });
    },
  },
} satisfies Commands;
