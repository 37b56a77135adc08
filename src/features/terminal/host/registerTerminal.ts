import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { TerminalNeeds } from './openTerminal.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

/** The command that opens a terminal with `genenv`; it resolves to that terminal. */
export function registerTerminal(
  context: vscode.ExtensionContext,
  { failures, ...needs }: Omit<TerminalNeeds, 'storage'> & { failures: Failures },
): void {
  context.subscriptions.push(
    registerCommand('genenv.openTerminal', (): Promise<vscode.Terminal | undefined> =>
      failures.guard(vscode.l10n.t('The terminal was not opened'), async () =>
        (await import('./openTerminal.ts')).openTerminal({ ...needs, storage: context.globalStorageUri }),
      ),
    ),
  );
}
