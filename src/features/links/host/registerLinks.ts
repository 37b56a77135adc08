/** Links to runs, tasks and traces, and commands that copy them. */
import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { openLink, type LinkNeeds } from './openLink.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface LinksNeeds extends LinkNeeds {
  open: OpenRuns;
  failures: Failures;
}

export function registerLinks({ extension, subscriptions }: vscode.ExtensionContext, needs: LinksNeeds): void {
  const { open, failures } = needs;
  const copied = once(() => import('./copied.ts'));
  type Copied = Awaited<ReturnType<typeof copied>>;
  const command = (id: string, told: string, text: (copied: Copied, argument: unknown) => Promise<string> | string) =>
    registerCommand(id, (argument: unknown) =>
      failures.guard(vscode.l10n.t('Nothing was copied'), async () => {
        await vscode.env.clipboard.writeText(await text(await copied(), argument));
        vscode.window.setStatusBarMessage(told, 3000);
      }),
    );
  subscriptions.push(
    vscode.window.registerUriHandler({
      handleUri: (uri) => failures.guard(vscode.l10n.t('The link was not followed'), () => openLink(uri, needs)),
    }),
    command('genenv.copyJson', vscode.l10n.t('Copied as JSON'), ({ asJson, copiedPlace }, argument) =>
      asJson(open, copiedPlace(argument)),
    ),
    command('genenv.copyMarkdown', vscode.l10n.t('Copied as Markdown'), ({ asMarkdown, copiedPlace }, argument) =>
      asMarkdown(open, copiedPlace(argument)),
    ),
    command('genenv.copyLink', vscode.l10n.t('Link copied'), ({ asLink, copiedPlace }, argument) =>
      asLink(copiedPlace(argument), extension.id),
    ),
  );
}
