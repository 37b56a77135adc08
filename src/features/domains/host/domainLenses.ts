/** Lenses above the exported functions of a domain file, and above the fields of an adapter that do their work. */
import * as vscode from 'vscode';
import { declaredFunctions } from '../../../domains/declaredFunctions.ts';

export const domainLenses = (document: Pick<vscode.TextDocument, 'getText' | 'uri'>): vscode.CodeLens[] =>
  lensesAt(document.uri, declaredFunctions(document.getText()), true);

/** @param found lines, from 0, by the function's name. @param hasCode whether a debugger could stop in it */
export function lensesAt(domain: vscode.Uri, found: ReadonlyMap<string, number>, hasCode: boolean): vscode.CodeLens[] {
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
    (lenses[name] ?? []).flatMap(({ title, command, on }) => {
      if (on !== undefined && !hasCode) return [];
      const at = new vscode.Range(line, 0, line, 0);
      return new vscode.CodeLens(at, { title, command, arguments: [domain, ...(on === undefined ? [] : [on])] });
    }),
  );
}
