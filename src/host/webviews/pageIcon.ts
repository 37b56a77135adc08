import * as vscode from 'vscode';

/** The icon of a page's tab: our mark, in grey as the editor's own icons are. */
export function pageIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const icon = (kind: 'light' | 'dark'): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', `page-${kind}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}
