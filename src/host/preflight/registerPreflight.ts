/** The checks before a run: their command, their panels, and the question that Start asks. */
import * as vscode from 'vscode';
import { requireTrust } from '../runs/steerError.ts';
import type { CheckNeeds } from './checkFile.ts';
import { Preflights, type PreflightNeeds } from './preflights.ts';

export type PreflightDeps = CheckNeeds & Pick<PreflightNeeds, 'start' | 'failures'>;

export function registerPreflight(context: vscode.ExtensionContext, deps: PreflightDeps): Preflights {
  const { extensionUri } = context;
  // What the checks try, the endpoints above all, is loaded with the first of them.
  const check: PreflightNeeds['check'] = async function* (file, signal) {
    const { checkFile } = await import('./checkFile.ts');
    yield* checkFile(file, signal, deps);
  };
  const preflights = new Preflights({ ...deps, extensionUri, check });
  const command = vscode.commands.registerCommand('genenv.checkExperiment', async (argument?: unknown) => {
    try {
      requireTrust();
      const { pickExperiment } = await import('../commands/experimentFile.ts');
      const file = await pickExperiment(argument, vscode.l10n.t('Which experiment to check?'));
      if (file !== undefined) preflights.show(file);
    } catch (error) {
      void deps.failures.tell(vscode.l10n.t('The experiment was not checked'), error);
    }
  });
  context.subscriptions.push(preflights, command);
  return preflights;
}
