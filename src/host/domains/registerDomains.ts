/** Domains of a person's own in the editor: what can be done with them stands above their functions. */
import * as vscode from 'vscode';
import { domainLanguage } from '../../shared/domains/domainFile.ts';
import type { Failures } from '../feedback/failures.ts';
import { once } from '../once.ts';
import { requireTrust } from '../runs/steerError.ts';
import { domainLenses } from './domainLenses.ts';
import { domainOf, domainPattern } from './domainFiles.ts';
import type { TrialNeeds } from './trial/trialCommands.ts';

interface DomainDeps extends Omit<TrialNeeds, 'documents' | 'problems'> {
  failures: Failures;
  /** Decides what runs a person's Python. */
  python: () => Promise<string>;
}

export function registerDomains({ subscriptions }: vscode.ExtensionContext, deps: DomainDeps): void {
  const { failures, python } = deps;
  const problems = vscode.languages.createDiagnosticCollection('genenv.domains');
  // Loaded with the first trial.
  const trials = once(async () => {
    const { TrialDocuments } = await import('./trial/trialDocuments.ts');
    const documents = new TrialDocuments();
    subscriptions.push(documents);
    return { needs: { ...deps, documents, problems }, ...(await import('./trial/trialCommands.ts')) };
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
  );
}
