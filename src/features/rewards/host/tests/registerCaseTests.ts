/** The Test Explorer's part, loaded when the workspace has a reward with cases. */
import * as vscode from 'vscode';
import { registerCases } from '../../../../host/cases/registerCases.ts';
import { casesPattern, isCases } from './caseFiles.ts';
import type { CaseTestDeps, CaseTests } from './caseTests.ts';

/** The Test Explorer's items, once there is a case. */
export type ShownCaseTests = Promise<Pick<CaseTests, 'controller' | 'profiles'>>;

export const registerCaseTests = (context: vscode.ExtensionContext, deps: CaseTestDeps): ShownCaseTests =>
  registerCases(context, {
    ...{ pattern: casesPattern, isCases, failures: deps.failures },
    failed: () => vscode.l10n.t('The cases of rewards cannot be listed'),
    load: async () => new (await import('./caseTests.ts')).CaseTests(deps),
  });
