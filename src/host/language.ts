/** Texts that the editor, pages and the command line share, in the editor's language: where nothing sets it they are English. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Before the first of these texts is made. */
export function speakEditorsLanguage(): void {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
}
