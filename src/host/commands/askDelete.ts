/** The question before a run is deleted: what goes, what stays where, and the way to delete that first. */
import * as vscode from 'vscode';
import type { KnownRun } from '../runs/runs.ts';
import { SteerError } from '../runs/steerError.ts';
import { staysElsewhere } from '../runs/staysElsewhere.ts';
import type { CommandContext } from './context.ts';

/** @param wasOffered whether the person has just been to the command that deletes its saves */
export async function askDelete(context: CommandContext, run: KnownRun, wasOffered = false): Promise<void> {
  const { service, catalog } = context;
  const { dir, head } = run;
  const move = vscode.l10n.t('Move to Trash');
  const question = vscode.l10n.t('Delete “{0}” with all its traces and checkpoints?', head.name);
  const stays = staysElsewhere([dir], catalog, wasOffered);
  const left = stays.text === null ? '' : `\n\n${stays.text}`;
  const detail = vscode.l10n.t('{0}\n\nIt can be restored from the trash.', head.id) + left;
  // Nothing names them once the folder is gone.
  const saves = stays.byCommand && !wasOffered ? [vscode.l10n.t('Delete Saves on the Server…')] : [];
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, move, ...saves);
  if (chosen !== undefined && chosen !== move) {
    await vscode.commands.executeCommand('genenv.deleteSaves', { run: dir });
    await askDelete(context, run, true);
    return;
  }
  if (chosen === undefined) return;
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
