/** Adapters that come with the extension. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';

export const shippedFolder = (extensionUri: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'media', 'adapters');

/** Whether it comes with the extension, where a change would be lost with its next version. */
export const isShipped = (uri: vscode.Uri, extensionUri: vscode.Uri): boolean =>
  dirname(uri.fsPath) === shippedFolder(extensionUri).fsPath;
