import * as vscode from 'vscode';

/** Looks when a person comes back to the window: events of files may be off (`files.watcherExclude`) or lost, as on network disks. */
export const onReturn = (look: () => void): vscode.Disposable =>
  vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) look();
  });
