/** The Python package of the domain reasoning: installed by a person's word, with the progress shown. */
import * as vscode from 'vscode';
import {
  hasReasoning,
  installReasoning,
  InstallError,
  reasoningGym,
} from '../../../launch/domains/reasoningPackage.ts';
import type { Command } from '../../../host/commands/context.ts';

/** Whether the package is there now. */
async function install(): Promise<boolean> {
  const title = vscode.l10n.t('Installing {0} {1}', reasoningGym.name, reasoningGym.version);
  const location = vscode.ProgressLocation.Notification;
  try {
    await vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
      const ending = new AbortController();
      const listening = token.onCancellationRequested(() => ending.abort());
      try {
        return await installReasoning(undefined, ending.signal);
      } finally {
        listening.dispose();
      }
    });
    return true;
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    const settings = vscode.l10n.t('Open Setting');
    const actions = error.reason === 'python' ? [settings] : [];
    const chosen = await vscode.window.showErrorMessage(`${error.message} ${error.remedy}`, ...actions);
    if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'genenv.python');
    return false;
  }
}

/** Offers to install it where it is missing; false when the user cancels the new experiment for it. */
export async function offerReasoning(): Promise<boolean> {
  if (await hasReasoning()) return true;
  const now = {
    label: `$(cloud-download) ${vscode.l10n.t('Install {0} Now', reasoningGym.name)}`,
    detail: vscode.l10n.t('From the Python package index, about 350 MB, once for all workspaces.'),
    now: true,
  };
  const later = {
    label: vscode.l10n.t('Install It Later'),
    detail: vscode.l10n.t('A run needs it; “Install Reasoning Gym” installs it.'),
    now: false,
  };
  const picked = await vscode.window.showQuickPick([now, later], {
    title: vscode.l10n.t('Reasoning Gym is not installed'),
  });
  if (picked === undefined) return false;
  return picked.now && vscode.workspace.isTrusted ? install() : true;
}

export const installReasoningGym: Command = {
  failed: () => vscode.l10n.t('{0} was not installed', reasoningGym.name),
  run: async () => {
    if (!(await install())) return;
    const done = vscode.l10n.t('{0} {1} is installed.', reasoningGym.name, reasoningGym.version);
    void vscode.window.showInformationMessage(done);
  },
};
