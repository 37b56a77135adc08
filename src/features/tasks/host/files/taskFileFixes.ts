/** One-click fixes for problems in a task file. */
import * as vscode from 'vscode';
import { readFileLine } from '../../node/fileLine.ts';
import { idInFile } from '../../../../shared/records/idInFile.ts';
import { fixAction } from '../../../../host/fixAction.ts';
import { freeId, TakenIds } from '../../node/sent/takenIds.ts';

/** @param problems of the file, those that are ours @returns nothing for a line that is gone */
export function taskFileFixes(
  document: vscode.TextDocument,
  problems: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  return problems
    .filter(({ range }) => range.start.line < document.lineCount)
    .flatMap((problem) => [
      ...ownId(document, problem),
      openInEditor(document, problem),
      removeLine(document, problem),
    ]);
}

function openInEditor(document: vscode.TextDocument, problem: vscode.Diagnostic): vscode.CodeAction {
  const { line } = problem.range.start;
  const title = vscode.l10n.t('Open in the Task Editor');
  // Of two tasks with one id the editor would find the other.
  const task = problem.code === 'id' ? null : readFileLine(document.lineAt(line).text, line + 1).task.id;
  const fix = fixAction(title, problem);
  fix.command = { title, command: 'genenv.editTask', arguments: [{ file: document.uri.fsPath, task }] };
  return fix;
}

function removeLine(document: vscode.TextDocument, problem: vscode.Diagnostic): vscode.CodeAction {
  const { line } = problem.range.start;
  const { rangeIncludingLineBreak: range } = document.lineAt(line);
  const isLast = line === document.lineCount - 1 && line > 0;
  const before = isLast ? document.lineAt(line - 1).range.end : range.start;
  const fix = fixAction(vscode.l10n.t('Remove This Line'), problem);
  // A warning's line is skipped by readers of the file anyway.
  fix.isPreferred = problem.severity === vscode.DiagnosticSeverity.Warning;
  fix.edit = new vscode.WorkspaceEdit();
  fix.edit.delete(document.uri, new vscode.Range(before, range.end));
  return fix;
}

/** For one that has the id of another line. */
function ownId(document: vscode.TextDocument, problem: vscode.Diagnostic): vscode.CodeAction[] {
  if (problem.code !== 'id') return [];
  const { line } = problem.range.start;
  const { id } = readFileLine(document.lineAt(line).text, line + 1).task;
  // The text there may be no id at all.
  if (document.getText(problem.range) !== JSON.stringify(id)) return [];
  const taken = new TakenIds(
    Array.from({ length: document.lineCount }, (_, i) => readFileLine(document.lineAt(i).text, i + 1).task.id),
  );
  const free = freeId(idInFile({ id }), taken);
  const fix = fixAction(vscode.l10n.t('Call It “{0}”', free), problem, true);
  fix.edit = new vscode.WorkspaceEdit();
  fix.edit.replace(document.uri, problem.range, JSON.stringify(free));
  return [fix];
}
