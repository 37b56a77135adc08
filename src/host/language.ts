/** Texts and figures that the editor, pages and the command line share, in the editor's language: where nothing sets it they are English. */
import * as vscode from 'vscode';
import { speak } from '../launch/language.ts';

/** Before the first of these texts is made. */
export function speakEditorsLanguage(): void {
  if (vscode.l10n.bundle !== undefined) speak(vscode.l10n.bundle, vscode.env.language);
}
