/** Domains of a person's own in the editor: what can be done with them stands above their functions. */
import * as vscode from 'vscode';
import type { DomainOutcome } from '../../../domains/triedSubject.ts';
import { domainLanguage } from '../../../shared/domains/domainFile.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import type { DebugWork } from '../../rewards/host/debug/registerDebug.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { domainLenses } from './domainLenses.ts';
import { domainOf, domainPattern, isDomain } from '../../../host/files/domainFiles.ts';
import type { TrialNeeds } from './trial/trialCommands.ts';

interface DomainDeps extends Omit<TrialNeeds, 'documents' | 'problems'> {
  failures: Failures;
  /** Decides what runs a person's Python. */
  python: () => Promise<string>;
  debugWork: DebugWork;
}

export function registerDomains({ extensionUri, subscriptions }: vscode.ExtensionContext, deps: DomainDeps): void {
  const { failures, python, debugWork } = deps;
  const problems = vscode.languages.createDiagnosticCollection('genenv.domains');
  // Loaded with the first trial.
  const trials = once(async () => {
    const { TrialDocuments } = await import('./trial/trialDocuments.ts');
    const documents = new TrialDocuments();
    subscriptions.push(documents);
    const { debugCommand } = await import('./debug/debugCommand.ts');
    return { needs: { ...deps, documents, problems }, debugCommand, ...(await import('./trial/trialCommands.ts')) };
  });
  type Trials = Awaited<ReturnType<typeof trials>>;
  const command = (
    id: string,
    failed: () => string,
    run: (loaded: Trials, domain: vscode.Uri) => Promise<void>,
  ): vscode.Disposable =>
    vscode.commands.registerCommand(id, (argument: unknown) =>
      failures.guard(failed(), async () => {
        requireTrust();
        const domain = await domainOf(argument, vscode.l10n.t('Which domain?'));
        if (domain === undefined) return;
        if (domainLanguage(domain.path) === 'python') await python();
        await run(await trials(), domain);
      }),
    );
  const checks = once(async () => {
    const { DomainChecks } = await import('./domainChecks.ts');
    return new DomainChecks({ dist: deps.dist, problems });
  });
  const check = (uri: vscode.Uri): Promise<void> =>
    failures
      .guard(vscode.l10n.t('The domain was not checked'), async () => {
        if (domainLanguage(uri.path) === 'python') await python();
        await (await checks()).check(uri);
      })
      .then(() => undefined);
  subscriptions.push(
    problems,
    // What was said of a line does not hold for what it has become.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) problems.delete(document.uri);
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: domainPattern },
      { provideCodeLenses: domainLenses },
    ),
    vscode.commands.registerCommand('genenv.newDomain', (argument: unknown): Promise<vscode.Uri | undefined> =>
      failures.guard(vscode.l10n.t('The domain was not written'), async () => {
        const uri = await (await import('./newDomain.ts')).writeDomain(extensionUri, argument);
        if (uri !== undefined) await vscode.window.showTextDocument(uri);
        return uri;
      }),
    ),
    vscode.commands.registerCommand('genenv.copyDomain', (argument: unknown): Promise<vscode.Uri | undefined> =>
      failures.guard(vscode.l10n.t('The domain was not copied'), async () => {
        const uri = await (await import('./copyShipped.ts')).copyShipped(argument, deps.dist);
        if (uri !== undefined) await vscode.window.showTextDocument(uri);
        return uri;
      }),
    ),
    // What a run would trip over is seen while the file is written.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isDomain(uri) && vscode.workspace.isTrusted && checksOnSave(uri)) void check(uri);
    }),
    command(
      'genenv.writeTasks',
      () => vscode.l10n.t('No tasks were written'),
      ({ needs, writeTasksCommand }, domain) => writeTasksCommand(needs, domain),
    ),
    command(
      'genenv.verifySeeds',
      () => vscode.l10n.t('The seed tasks were not verified'),
      ({ needs, verifySeedsCommand }, domain) => verifySeedsCommand(needs, domain),
    ),
    command(
      'genenv.poseTask',
      () => vscode.l10n.t('The task was not posed'),
      ({ needs, poseTaskCommand }, domain) => poseTaskCommand(needs, domain),
    ),
    vscode.commands.registerCommand(
      'genenv.debugDomain',
      async (argument: unknown, on: unknown): Promise<readonly DomainOutcome[] | undefined> => {
        const failed = (): string => vscode.l10n.t('The domain was not debugged');
        return failures.guard(failed(), async () => {
          requireTrust();
          const domain = await domainOf(argument, vscode.l10n.t('Debug which domain?'));
          if (domain === undefined) return undefined;
          if (domainLanguage(domain.path) === 'python') await python();
          const { needs, debugCommand } = await trials();
          return debugCommand(needs, domain, on, (work) => debugWork(work, undefined, failed));
        });
      },
    ),
  );
}

const checksOnSave = (uri: vscode.Uri): boolean =>
  vscode.workspace.getConfiguration('genenv', uri).get('checkDomainsOnSave', true);
