/** Compare Runs: which ones, their page, and its return after the window is loaded anew. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../../../host/once.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import { viewType, type CompareNeeds } from './compareNeeds.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

/** Registers the command and the pages. */
export function registerCompare({ extensionUri, subscriptions }: vscode.ExtensionContext, needs: CompareNeeds): void {
  const pages = once(async () => {
    const { ComparePages } = await import('./comparePages.ts');
    const made = new ComparePages(needs, extensionUri);
    subscriptions.push(made);
    return made;
  });
  subscriptions.push(
    registerCommand('genenv.compareRuns', async (node?: unknown, nodes?: unknown) =>
      (await pages()).ask(targetsOf(nodes) ?? targetsOf(node) ?? []),
    ),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await pages()).restore(panel, state),
    }),
  );
}

/** Folders of the runs that a command was called with: one node or several. */
function targetsOf(argument: unknown): string[] | null {
  const several = z.array(runTargetSchema).min(1).safeParse(argument);
  if (several.success) return [...new Set(several.data.map(({ run }) => run))];
  const one = runTargetSchema.safeParse(argument);
  return one.success ? [one.data.run] : null;
}
