/** One-click fixes for problems in an experiment file. */
import * as vscode from 'vscode';
import { fixesFor, type Fix } from '../../../shared/experiment/problems/fixes.ts';
import { problemSource } from '../../../host/fileProblems.ts';
import { editAction } from '../../../host/fixAction.ts';
import { ExperimentDocument } from './experimentDocument.ts';

export class ExperimentQuickFixes implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const experiment = new ExperimentDocument(document);
    const { written } = experiment.reading;
    if (written === null) return [];
    return diagnostics
      .filter(({ source }) => source === problemSource)
      .flatMap((diagnostic) => {
        const field = typeof diagnostic.code === 'string' ? diagnostic.code : '';
        return fixesFor({ field }, written).map((fix, i) =>
          editAction(titleOf(fix), diagnostic, i === 0, experiment, fix.edits),
        );
      });
  }
}

function titleOf(fix: Fix): string {
  switch (fix.kind) {
    case 'rename':
      return vscode.l10n.t('Rename to “{0}”', fix.to);
    case 'set':
      return vscode.l10n.t('Set {0} to {1}', fix.field, JSON.stringify(fix.to));
    case 'preset':
      return vscode.l10n.t('Leave {0} to the preset ({1})', fix.field, fix.to);
    case 'remove':
      return vscode.l10n.t('Remove {0}', fix.field);
  }
}
