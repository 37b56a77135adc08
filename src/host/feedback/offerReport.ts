/** Tells that a report is made, with what to do next. */
import * as vscode from 'vscode';
import { openInBrowser } from './openInBrowser.ts';

export async function offerReport(file: vscode.Uri, name: string): Promise<void> {
  const open = vscode.l10n.t('Open in Browser');
  const reveal = vscode.l10n.t('Reveal');
  const text = vscode.l10n.t('The report of “{0}” is made: one file that needs no network.', name);
  const chosen = await vscode.window.showInformationMessage(text, open, reveal);
  if (chosen === open) await openInBrowser(file);
  else if (chosen === reveal) await vscode.commands.executeCommand('revealInExplorer', file);
}
