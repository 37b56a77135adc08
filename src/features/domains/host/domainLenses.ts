/** Above the exported functions of a domain file: what can be done with each. */
import * as vscode from 'vscode';
import { declaredFunctions } from './declaredFunctions.ts';

export function domainLenses(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): vscode.CodeLens[] {
  const found = declaredFunctions(document.getText());
  const write = { title: vscode.l10n.t('Write 5 Tasks'), command: 'genenv.writeTasks' };
  const verify = { title: vscode.l10n.t('Verify Seed Tasks'), command: 'genenv.verifySeeds' };
  const pose = { title: vscode.l10n.t('Pose and Attempt'), command: 'genenv.poseTask' };
  const debug = (title: string, on: 'text' | 'task' | 'trace') => ({ title, command: 'genenv.debugDomain', on });
  const onText = debug(vscode.l10n.t('Debug on a Text'), 'text');
  const onTask = debug(vscode.l10n.t('Debug on a Task'), 'task');
  const onTrace = debug(vscode.l10n.t('Debug on a Trace'), 'trace');
  const lenses: Readonly<Record<string, readonly { title: string; command: string; on?: string }[]>> = {
    seeds: [verify],
    environmentPrompt: [write],
    parse: [write, onText],
    verify: [verify, onTask],
    agentPrompt: [pose],
    step: [pose, onTrace],
    judge: [pose, onTrace],
  };
  return [...found].flatMap(([name, line]) =>
    (lenses[name] ?? []).map(({ title, command, on }) => {
      const at = new vscode.Range(line, 0, line, 0);
      return new vscode.CodeLens(at, { title, command, arguments: [document.uri, ...(on === undefined ? [] : [on])] });
    }),
  );
}
