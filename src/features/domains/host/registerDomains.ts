/** Domain files in the editor: lenses above their functions, and above the recipe of an adapter. */
import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import type { DomainOutcome } from '../../../domains/triedSubject.ts';
import type { DomainCaseLine } from '../../../shared/domains/cases.ts';
import { domainLanguage } from '../../../shared/domains/domainFile.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import { once } from '../../../host/once.ts';
import type { DebugConfigured, DebugWork } from '../../rewards/host/debug/registerDebug.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { domainLenses, lensesAt } from './domainLenses.ts';
import { adapterPattern } from '../../../host/files/adapterFiles.ts';
import { domainOf, domainPattern, isDomain, triedDomainOf } from '../../../host/files/domainFiles.ts';
import { registerCases } from '../../../host/cases/registerCases.ts';
import { domainCasesPattern, isDomainCases } from './tests/domainCaseKind.ts';
import type { ProgramCases } from '../../../host/cases/programCases.ts';
import type { TrialNeeds } from './trial/trialCommands.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

/** Shown in front, where one was written. */
async function opened(uri: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  if (uri === undefined) return undefined;
  await vscode.window.showTextDocument(uri);
  void stepDone('tasks');
  return uri;
}

/** The Test Explorer's items, once there is a case. */
export type ShownDomainCases = Promise<Pick<ProgramCases<DomainCaseLine>, 'controller' | 'profiles'>>;

interface DomainDeps extends Omit<TrialNeeds, 'documents' | 'problems'> {
  failures: Failures;
  /** Determines the interpreter of a user's Python. */
  python: () => Promise<string>;
  debugWork: DebugWork;
  debugConfigured: DebugConfigured;
}

export function registerDomains(context: vscode.ExtensionContext, deps: DomainDeps): ShownDomainCases {
  const { extensionUri, subscriptions } = context;
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
    registerCommand(id, (argument: unknown) =>
      failures.guard(failed(), async () => {
        requireTrust();
        const domain = await triedDomainOf(argument, vscode.l10n.t('Which domain?'));
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
    // A message about a line is void once the line changed.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) problems.delete(document.uri);
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: domainPattern },
      { provideCodeLenses: domainLenses },
    ),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: adapterPattern },
      {
        provideCodeLenses: async (document) => {
          const { adapterFunctions } = await import('./adapterFunctions.ts');
          return lensesAt(document.uri, adapterFunctions(document.getText()), false);
        },
      },
    ),
    registerCommand('genenv.newDomain', (argument: unknown): Promise<vscode.Uri | undefined> =>
      failures.guard(vscode.l10n.t('The domain was not written'), async () => {
        const uri = await (await import('./newDomain.ts')).writeDomain(extensionUri, argument);
        return opened(uri);
      }),
    ),
    registerCommand('genenv.copyDomain', (argument: unknown): Promise<vscode.Uri | undefined> =>
      failures.guard(vscode.l10n.t('The domain was not copied'), async () => {
        const uri = await (await import('./copyShipped.ts')).copyShipped(argument, deps.dist);
        return opened(uri);
      }),
    ),
    // Problems that a run would have are shown while the file is written.
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
    registerCommand(
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
  subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider('genenv-domain', {
      resolveDebugConfiguration: (folder, configuration) =>
        deps.debugConfigured(
          configuration,
          async () => {
            const { needs } = await trials();
            const { configuredDomain, ownAttributes, tellFaults } = await import('./debug/askedDomain.ts');
            const request = await configuredDomain({ ...needs, python }, folder, configuration);
            const ended = (outcomes: readonly DomainOutcome[]): void => {
              if (request !== undefined) tellFaults(needs, request.file, outcomes);
            };
            return request && { request, own: ownAttributes, ended };
          },
          () => vscode.l10n.t('The domain was not debugged'),
        ),
    }),
  );
  return registerCases(context, {
    ...{ pattern: domainCasesPattern, isCases: isDomainCases, failures },
    failed: () => vscode.l10n.t('The cases of domains cannot be listed'),
    load: async () => (await import('./tests/domainCaseTests.ts')).domainCaseTests(deps),
  });
}

const checksOnSave = (uri: vscode.Uri): boolean =>
  vscode.workspace.getConfiguration('genenv', uri).get('checkDomainsOnSave', true);
