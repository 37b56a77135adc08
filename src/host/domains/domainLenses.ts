/** Above the exported functions of a domain file: what can be done with each. */
import * as vscode from 'vscode';
import { declaredFunctions } from './declaredFunctions.ts';

export function domainLenses(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): vscode.CodeLens[] {
  const found = declaredFunctions(document.getText());
  const write = { title: vscode.l10n.t('Write 5 Tasks'), command: 'genenv.writeTasks' };
  const verify = { title: vscode.l10n.t('Verify Seed Tasks'), command: 'genenv.verifySeeds' };
  const pose = { title: vscode.l10n.t('Pose and Attempt'), command: 'genenv.poseTask' };
  const lenses: Readonly<Record<string, readonly { title: string; command: string }[]>> = {
    seeds: [verify],
    environmentPrompt: [write],
    parse: [write],
    verify: [verify],
    agentPrompt: [pose],
    step: [pose],
    judge: [pose],
  };
  return [...found].flatMap(([name, line]) =>
    (lenses[name] ?? []).map(({ title, command }) => {
      const at = new vscode.Range(line, 0, line, 0);
      return new vscode.CodeLens(at, { title, command, arguments: [document.uri] });
    }),
  );
}
