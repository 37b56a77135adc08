/** Play Task…: a person attempts a task of a run on a page of its own, which comes back after the window is loaded anew. */
import * as vscode from 'vscode';
import { once } from '../../../host/once.ts';
import { notPlayed, viewType, type PlayNeeds } from './playNeeds.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export function registerPlay({ extensionUri, subscriptions }: vscode.ExtensionContext, needs: PlayNeeds): void {
  const pages = once(async () => {
    const { PlayPages } = await import('./playPages.ts');
    const made = new PlayPages(extensionUri, needs);
    subscriptions.push(made);
    return made;
  });
  subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await pages()).restore(panel, state),
    }),
    registerCommand('genenv.playTask', (argument: unknown) =>
      needs.failures.guard(notPlayed(), async () => (await pages()).show(argument)),
    ),
  );
}
