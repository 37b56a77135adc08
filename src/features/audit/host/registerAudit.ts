/** Audit Rewards of Run…: a read-only document, with a link to every attempt that a hint leads to. */
import * as vscode from 'vscode';
import type { CommandContext } from '../../../host/commands/context.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import type { LaidOut } from '../../../host/documents/layout/page.ts';
import { LinkedDocuments } from '../../../host/linkedDocuments.ts';
import type { KnownRun } from '../../../host/runs/runs.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

type Needs = Pick<CommandContext, 'catalog' | 'clock' | 'folders' | 'failures'>;

export function registerAudit({ subscriptions }: vscode.ExtensionContext, needs: Needs): void {
  const documents = new LinkedDocuments('genenv-audit', () =>
    vscode.l10n.t('This audit is gone: audit the run again.'),
  );
  subscriptions.push(
    documents,
    registerCommand('genenv.auditRewards', (argument: unknown) =>
      needs.failures.guard(vscode.l10n.t('The rewards were not audited'), async () => {
        const run = await pickRun(needs, argument, {
          title: vscode.l10n.t('Audit the rewards of which run?'),
          fits: ({ head }) => head.epoch > 0,
          none: vscode.l10n.t('No run has finished an epoch yet.'),
        });
        const laid = run === undefined ? undefined : await audited(needs, run);
        if (run === undefined || laid === undefined) return;
        await documents.show(run.dir, vscode.l10n.t('Reward audit of {0}', run.head.name), laid);
      }),
    ),
  );
}

/** Undefined where a person had enough of it. @throws RunError */
async function audited({ folders }: Needs, run: KnownRun): Promise<LaidOut | undefined> {
  const [{ auditRun }, { layAudit }] = await Promise.all([import('../node/auditRun.ts'), import('./auditLayout.ts')]);
  const title = vscode.l10n.t('Auditing the rewards of “{0}”', run.head.name);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const ending = new AbortController();
    const cancelled = token.onCancellationRequested(() => ending.abort(new Error('The audit was cancelled.')));
    let shown = 0;
    try {
      const audit = await folders.reading(run.dir, (reader) =>
        auditRun(reader, {
          signal: ending.signal,
          onProgress: (done, total) => {
            const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
            progress.report({ increment: percent - shown, message: `${percent} %` });
            shown = percent;
          },
        }),
      );
      return layAudit(audit, run.head.name);
    } catch (error) {
      if (ending.signal.aborted) return undefined;
      throw error;
    } finally {
      cancelled.dispose();
    }
  });
}
