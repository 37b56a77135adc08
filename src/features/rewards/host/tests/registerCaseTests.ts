/** The Test Explorer's part, loaded when the workspace has a reward with cases. */
import * as vscode from 'vscode';
import { once } from '../../../../host/once.ts';
import { casesPattern, findCases, isCases } from './caseFiles.ts';
import type { CaseTestDeps, CaseTests } from './caseTests.ts';

/** What the Test Explorer shows; once there is a case. */
export type ShownCaseTests = Promise<Pick<CaseTests, 'controller' | 'profiles'>>;

export function registerCaseTests({ subscriptions }: vscode.ExtensionContext, deps: CaseTestDeps): ShownCaseTests {
  const { promise, resolve } = Promise.withResolvers<CaseTests>();
  const tests = once(async () => {
    watcher.dispose();
    const { CaseTests } = await import('./caseTests.ts');
    const made = new CaseTests(deps);
    subscriptions.push(made);
    resolve(made);
    return made;
  });
  const list = async (found: readonly vscode.Uri[]): Promise<void> => {
    for (const cases of found.filter(isCases)) await (await tests()).list(cases);
  };
  const listed = (found: readonly vscode.Uri[]): void =>
    void deps.failures.guard(vscode.l10n.t('The cases of rewards cannot be listed'), () => list(found));
  // The first one wakes what watches them all.
  const watcher = vscode.workspace.createFileSystemWatcher(casesPattern, false, true, true);
  subscriptions.push(
    watcher,
    watcher.onDidCreate((uri) => listed([uri])),
  );
  void findCases().then(listed);
  return promise;
}
