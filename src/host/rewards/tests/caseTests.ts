/** Cases of rewards in the Test Explorer: listed, run, watched, their coverage shown. */
import * as vscode from 'vscode';
import type { Failures } from '../../feedback/failures.ts';
import { requireTrust } from '../../runs/steerError.ts';
import { CaseItems } from './caseItems.ts';
import { CaseRuns } from './caseRuns.ts';
import { watchCases } from './caseWatch.ts';

export interface CaseTestDeps {
  failures: Failures;
  /** The folder of built files. */
  dist: URL;
}

export class CaseTests implements vscode.Disposable {
  readonly controller: vscode.TestController;
  readonly profiles: Readonly<Record<'run' | 'coverage', vscode.TestRunProfile>>;
  readonly #items: CaseItems;
  readonly #runs: CaseRuns;

  constructor({ failures, dist }: CaseTestDeps) {
    this.controller = vscode.tests.createTestController('genenv.cases', vscode.l10n.t('Cases of Rewards'));
    this.#items = new CaseItems(this.controller);
    this.#runs = new CaseRuns(this.controller, this.#items, dist);
    const guarded =
      (work: (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>) =>
      (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
        failures.guard(vscode.l10n.t('The cases were not run'), async () => {
          requireTrust();
          await work(request, token);
        });
    const { Run, Coverage } = vscode.TestRunProfileKind;
    const run = guarded(async (request, token) => {
      if (request.continuous === true) this.#watch(request, token, guarded(this.#once));
      else await this.#once(request, token);
    });
    const coverage = guarded((request, token) => this.#runs.run(request, token, true));
    this.profiles = {
      run: this.controller.createRunProfile(vscode.l10n.t('Run'), Run, run, true, undefined, true),
      coverage: this.controller.createRunProfile(vscode.l10n.t('Coverage'), Coverage, coverage, true),
    };
    this.profiles.coverage.loadDetailedCoverage = (_, file) => Promise.resolve(this.#runs.detailsOf(file));
  }

  /** Lists the rewards of a file of cases. */
  list(cases: vscode.Uri): Promise<void> {
    return this.#items.list(cases);
  }

  dispose(): void {
    this.#items.dispose();
    this.controller.dispose();
  }

  readonly #once = (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
    this.#runs.run(request, token, false);

  #watch(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    run: (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>,
  ): void {
    const { exclude, profile } = request;
    const saved = watchCases(
      request,
      () => [...this.controller.items].map(([, reward]) => reward),
      (reward) => this.#runs.filesOf(reward),
      (include) => run(new vscode.TestRunRequest(include, exclude, profile, true), token),
    );
    const watching = vscode.workspace.onDidSaveTextDocument(({ uri }) => saved(uri));
    token.onCancellationRequested(() => {
      watching.dispose();
    });
  }
}
