/** The checks before a run: their command, their panels, and the question that Start asks. */
import * as vscode from 'vscode';
import type { StartRequest } from '../../../host/runs/runs.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { CheckNeeds } from './checkFile.ts';
import type { Preflights, PreflightNeeds } from './preflights.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export type PreflightDeps = CheckNeeds & Pick<PreflightNeeds, 'start' | 'failures'>;

const viewType = 'genenv.preflight';

/** The question that Start asks. */
export interface Clearance {
  /** As `Preflights.run`. */
  run(file: vscode.Uri, throughWarnings?: boolean): Promise<StartRequest | null>;
}

export function registerPreflight(context: vscode.ExtensionContext, deps: PreflightDeps): Clearance {
  const { extensionUri, subscriptions } = context;
  // The code of the checks, above all the endpoints', is loaded with the first of them.
  const check: PreflightNeeds['check'] = async function* (file, signal) {
    const { checkFile } = await import('./checkFile.ts');
    yield* checkFile(file, signal, deps);
  };
  let opened: Promise<Preflights> | null = null;
  const open = async (): Promise<Preflights> => {
    const { Preflights } = await import('./preflights.ts');
    const preflights = new Preflights({ ...deps, extensionUri, check, viewType });
    subscriptions.push(preflights);
    return preflights;
  };
  const preflights = (): Promise<Preflights> => (opened ??= open());
  subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await preflights()).restore(panel, state),
    }),
    registerCommand('genenv.checkExperiment', async (argument?: unknown) => {
      try {
        requireTrust();
        const { pickExperiment } = await import('../../../host/commands/experimentFile.ts');
        const file = await pickExperiment(argument, vscode.l10n.t('Which experiment to check?'));
        if (file !== undefined) (await preflights()).show(file);
      } catch (error) {
        void deps.failures.tell(vscode.l10n.t('The experiment was not checked'), error);
      }
    }),
  );
  return { run: async (file, throughWarnings) => (await preflights()).run(file, throughWarnings) };
}
