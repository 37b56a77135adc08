/** One-click fixes for problems in an adapter file. */
import * as vscode from 'vscode';
import { readAdapter } from '../../../benchmarks/adapter/readAdapter.ts';
import { adapterFixes, type AdapterFix } from '../../../shared/adapters/fixes.ts';
import { problemSource } from '../../../host/fileProblems.ts';
import { editAction, fixAction } from '../../../host/fixAction.ts';
import { JsonDocument } from '../../../host/jsonDocument.ts';

export class AdapterQuickFixes implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const adapter = new JsonDocument(document, readAdapter);
    const { written } = adapter.reading;
    if (written === null) return [];
    return diagnostics
      .filter(({ source }) => source === problemSource)
      .flatMap((diagnostic) => {
        const field = typeof diagnostic.code === 'string' ? diagnostic.code : '';
        if (field === 'data.folder') return [chooseAction(document.uri, diagnostic)];
        return adapterFixes(field, written).map((fix, i) =>
          editAction(titleOf(fix), diagnostic, i === 0, adapter, fix.edits),
        );
      });
  }
}

function chooseAction(uri: vscode.Uri, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Choose the Data’s Folder…');
  const action = fixAction(title, diagnostic, true);
  action.command = { command: 'genenv.chooseDataFolder', title, arguments: [uri] };
  return action;
}

function titleOf(fix: AdapterFix): string {
  switch (fix.kind) {
    case 'rename':
      return vscode.l10n.t('Rename to “{0}”', fix.to);
    case 'set':
      return vscode.l10n.t('Set {0} to {1}', fix.field, JSON.stringify(fix.to));
    case 'remove':
      return vscode.l10n.t('Remove {0}', fix.field);
  }
}

/** Puts the folder that a person chooses into an adapter. */
export async function chooseDataFolder(uri: vscode.Uri): Promise<void> {
  const { chooseFolder } = await import('./adapterEditor.ts');
  const to = await chooseFolder(uri);
  if (to === null) return;
  const document = await vscode.workspace.openTextDocument(uri);
  await new JsonDocument(document, readAdapter).edit([{ path: ['data', 'folder'], to }]);
}
