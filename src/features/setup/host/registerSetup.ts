import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

/** The command that writes the folder of a GPU machine; it resolves to that folder. */
export function registerSetup(context: vscode.ExtensionContext, failures: Failures): void {
  context.subscriptions.push(
    registerCommand('genenv.setUpBox', (): Promise<vscode.Uri | undefined> =>
      failures.guard(vscode.l10n.t('The GPU box was not set up'), async () => {
        const made = await (await import('./setUpBox.ts')).setUpBox();
        if (made !== undefined) void stepDone('endpoints');
        return made;
      }),
    ),
  );
}
