/** Open Table of Runs, Rename Run…: from the palette, the tree and a study. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../../../host/once.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunTableNeeds, RunTablePanel } from './runTablePanel.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.runTable';

export interface RegisterNeeds extends RunTableNeeds {
  failures: Failures;
  clock: Clock;
}

/** A study's page asks for its own runs. */
const wantedSchema = once(() => z.object({ study: z.string() }));

export function registerRunTable({ subscriptions, extensionUri }: vscode.ExtensionContext, needs: RegisterNeeds): void {
  const { failures } = needs;
  let table: RunTablePanel | null = null;
  const mount = async (panel: vscode.WebviewPanel): Promise<RunTablePanel> => {
    const module = await import('./runTablePanel.ts');
    const page = new module.RunTablePanel(panel, { ...needs, extensionUri });
    table = page;
    panel.onDidDispose(() => {
      if (table === page) table = null;
      page.dispose();
    });
    return page;
  };
  const show = async (argument: unknown): Promise<void> => {
    const study = wantedSchema().safeParse(argument).data?.study;
    if (table === null) {
      const title = vscode.l10n.t('Table of Runs');
      await mount(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active));
    } else table.panel.reveal();
    if (study !== undefined) table?.want(study);
  };
  subscriptions.push(
    registerCommand('genenv.openRunTable', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The table of runs was not opened'), () => show(argument)),
    ),
    registerCommand('genenv.renameRun', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The run was not renamed'), () => rename(needs, argument)),
    ),
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel) => {
        await failures.guard(vscode.l10n.t('The table of runs was not opened'), async () => {
          await mount(panel);
        });
      },
    }),
  );
}

async function rename(needs: RegisterNeeds, argument: unknown): Promise<void> {
  const run = await pickRun(needs, argument, {
    title: vscode.l10n.t('Which run to rename?'),
    fits: () => true,
    none: vscode.l10n.t('There are no runs yet.'),
  });
  if (run === undefined) return;
  const name = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('Rename “{0}”', run.head.name),
    prompt: vscode.l10n.t('Empty: its experiment’s name, “{0}”.', run.head.experiment),
    value: run.head.name,
    validateInput: (text) => (text.trim().length > 200 ? vscode.l10n.t('At most 200 characters.') : undefined),
  });
  if (name === undefined) return;
  const own = name.trim();
  await needs.service.label(run.dir, { name: own === '' || own === run.head.experiment ? null : own });
}
