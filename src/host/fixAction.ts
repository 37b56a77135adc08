import * as vscode from 'vscode';
import type { JsonEdit } from '../shared/experiment/text/textEdit.ts';
import type { JsonDocument } from './jsonDocument.ts';

/** A quick fix for one problem, whose edit or command is to be added. */
export function fixAction(title: string, diagnostic: vscode.Diagnostic, preferred = false): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = preferred;
  return action;
}

/** A quick fix that edits the text of a JSON document. */
export function editAction(
  title: string,
  diagnostic: vscode.Diagnostic,
  preferred: boolean,
  json: Pick<JsonDocument<unknown>, 'document' | 'textEdits'>,
  edits: readonly JsonEdit[],
): vscode.CodeAction {
  const action = fixAction(title, diagnostic, preferred);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.set(json.document.uri, json.textEdits(edits));
  return action;
}
