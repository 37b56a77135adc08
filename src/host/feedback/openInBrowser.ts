/**
 * Opens an HTML file in the browser of the person's own machine. Where the editor runs on another one (a server, Remote-SSH,
 * a container), that browser has no such file: the editor forwards an address at which it is served.
 */
import * as vscode from 'vscode';
import { addressOfFile } from './servedFile.ts';

export async function openInBrowser(file: vscode.Uri): Promise<void> {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  const address = isHere ? file : await vscode.env.asExternalUri(vscode.Uri.parse(await addressOfFile(file.fsPath)));
  await vscode.env.openExternal(address);
}
