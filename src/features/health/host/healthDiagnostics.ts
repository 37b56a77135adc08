/** Health flags of open task documents in the Problems panel, each with its remedies. */
import * as vscode from 'vscode';
import { marksOf } from '../../../host/documents/layout/page.ts';
import { placeOf, taskScheme } from '../../../host/documents/layout/place.ts';
import type { RecordFiles } from '../../../host/documents/recordFiles.ts';
import { fixAction } from '../../../host/fixAction.ts';
import type { FlagName } from '../../tasks/contract.ts';
import { defined } from '../../../shared/defined.ts';

const source = 'GenEnv';

/** Flags that spoil a measurement are warnings; others are remarks. */
const warnings: readonly FlagName[] = ['unverifiable', 'gold-disagrees', 'not-deterministic', 'held-out'];

/** @param fail reports that flags are not shown */
export function registerHealth(tasks: RecordFiles, fail: (error: unknown) => void): vscode.Disposable {
  const problems = vscode.languages.createDiagnosticCollection('genenv.health');
  const show = async (document: vscode.TextDocument): Promise<void> => {
    const laidOut = await tasks.layoutOf(document);
    if (laidOut === null || document.isClosed) return;
    const found = marksOf(laidOut, 'flag').map(({ line, start, end, means }) => {
      const { flag, why } = means.flag;
      const severity = warnings.includes(flag)
        ? vscode.DiagnosticSeverity.Warning
        : vscode.DiagnosticSeverity.Information;
      const problem = new vscode.Diagnostic(new vscode.Range(line, start, line, end), why, severity);
      problem.source = source;
      problem.code = flag;
      return problem;
    });
    problems.set(document.uri, found);
  };
  const showAll = (): void => {
    for (const document of vscode.workspace.textDocuments)
      if (document.uri.scheme === taskScheme) void show(document).catch(fail);
  };
  // Tabs that came back with the window were there before.
  showAll();
  return vscode.Disposable.from(
    problems,
    tasks.onDidLay(showAll),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.uri.scheme === taskScheme) void show(document).catch(fail);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === taskScheme) void show(document).catch(fail);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
    vscode.languages.registerCodeActionsProvider(
      { scheme: taskScheme },
      { provideCodeActions: ({ uri }, _range, { diagnostics }) => diagnostics.flatMap((one) => fixesOf(one, uri)) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

function fixesOf(problem: vscode.Diagnostic, uri: vscode.Uri): vscode.CodeAction[] {
  if (problem.source !== source) return [];
  const { run, id, at } = placeOf(uri);
  const task = { run, task: id, ...defined({ epoch: at }) };
  const fixes: [string, string][] = [
    [vscode.l10n.t('Exclude Task…'), 'genenv.excludeTask'],
    [vscode.l10n.t('Attempts Side by Side'), 'genenv.openAttempts'],
    [vscode.l10n.t('Re-attempt…'), 'genenv.reattemptTask'],
  ];
  return fixes.map(([title, command]) => {
    const fix = fixAction(title, problem);
    fix.command = { title, command, arguments: [task] };
    return fix;
  });
}
