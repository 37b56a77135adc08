/** Cases of rewards in the Test Explorer: listed, run, watched, their coverage shown. */
import * as vscode from 'vscode';
import type { Failures } from '../../../../host/feedback/failures.ts';
import { requireTrust } from '../../../../host/runs/steerError.ts';
import { CaseItems } from '../../../../host/cases/caseItems.ts';
import type { CaseLine } from '../../../../shared/rewards/cases.ts';
import { rewardCaseKind } from './caseFiles.ts';
import { CaseRuns, type CaseRunDeps, type CaseRunKind } from './caseRuns.ts';
import { watchCases } from '../../../../host/cases/caseWatch.ts';

export interface CaseTestDeps extends CaseRunDeps {
  failures: Failures;
}

type Handler = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>;

export class CaseTests implements vscode.Disposable {
  readonly controller: vscode.TestController;
  readonly profiles: Readonly<Record<CaseRunKind, vscode.TestRunProfile>>;
  readonly #items: CaseItems<CaseLine>;
  readonly #runs: CaseRuns;

  constructor({ failures, ...deps }: CaseTestDeps) {
    this.controller = vscode.tests.createTestController('genenv.cases', vscode.l10n.t('Cases of Rewards'));
    this.#items = new CaseItems(this.controller, rewardCaseKind);
    this.#runs = new CaseRuns(this.controller, this.#items, deps);
    const handler =
      (how: CaseRunKind): Handler =>
      (request, token) =>
        failures.guard(vscode.l10n.t('The cases were not run'), async () => {
          requireTrust();
          if (request.continuous === true) this.#watch(request, token, handler('run'));
          else await this.#runs.run(request, token, how);
        });
    const { Run, Coverage, Debug } = vscode.TestRunProfileKind;
    const profile = (label: string, kind: vscode.TestRunProfileKind, how: CaseRunKind) =>
      this.controller.createRunProfile(label, kind, handler(how), true, undefined, how === 'run');
    this.profiles = {
      run: profile(vscode.l10n.t('Run'), Run, 'run'),
      coverage: profile(vscode.l10n.t('Coverage'), Coverage, 'coverage'),
      debug: profile(vscode.l10n.t('Debug'), Debug, 'debug'),
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

  #watch(request: vscode.TestRunRequest, token: vscode.CancellationToken, run: Handler): void {
    const { exclude, profile } = request;
    const saved = watchCases(
      request,
      () => [...this.controller.items].map(([, reward]) => reward),
      (reward) => this.#runs.filesOf(reward),
      (include) => run(new vscode.TestRunRequest(include, exclude, profile), token),
    );
    const watching = vscode.workspace.onDidSaveTextDocument(({ uri }) => saved(uri));
    token.onCancellationRequested(() => {
      watching.dispose();
    });
  }
}
