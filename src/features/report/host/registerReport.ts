/** *Make Report*: a run's report as a file, and as a tab whose ids lead back to the run. */
import * as vscode from 'vscode';
import { once } from '../../../host/once.ts';
import type { ReportNeeds, ReportTabs } from './reportTabs.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.report';

const notMade = (): string => vscode.l10n.t('The report was not made');

export function registerReport({ subscriptions, extensionUri }: vscode.ExtensionContext, needs: Needs): void {
  const tabs = once<Promise<ReportTabs>>(async () => {
    const { ReportTabs: Tabs } = await import('./reportTabs.ts');
    return new Tabs({ ...needs, extensionUri, viewType });
  });
  const command = (id: string, run: (tabs: ReportTabs, argument: unknown) => Promise<void>): vscode.Disposable =>
    registerCommand(id, (argument: unknown) =>
      needs.failures.guard(notMade(), async () => run(await tabs(), argument)),
    );
  subscriptions.push(
    command('genenv.makeReport', (made, argument) => made.make(argument)),
    command('genenv.openReportInBrowser', (made) => made.openInBrowser()),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await tabs()).restore(panel, state),
    }),
  );
}

type Needs = Omit<ReportNeeds, 'extensionUri' | 'viewType'>;
