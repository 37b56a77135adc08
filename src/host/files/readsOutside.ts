import * as vscode from 'vscode';
import { isShipped } from './shippedAdapters.ts';

/**
 * Whether an adapter may read files outside of its data's folder: where it comes with the extension, or a person lets all
 * of them. No workspace can say so.
 */
export function readsOutside(adapter: vscode.Uri): boolean {
  const home = vscode.extensions.getExtension('genenv.genenv')?.extensionUri;
  if (home !== undefined && isShipped(adapter, home)) return true;
  return vscode.workspace.getConfiguration('genenv').get<boolean>('adapters.readOutside', false);
}
