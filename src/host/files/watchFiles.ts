/** Files that other programs write. */
import * as vscode from 'vscode';
import { onReturn } from './onReturn.ts';

/** `changed` is called with each event of such a file, and when a person comes back to the window. */
export function watchFiles(pattern: vscode.GlobPattern, changed: () => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidChange(changed),
    watcher.onDidDelete(changed),
    onReturn(changed),
  );
}
