/** File events below the folder of runs, mapped to runs. */
import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { RunFolder } from './runFolders.ts';

/** The files behind a head or a journal; records grow far more often and are read on demand. */
const watched = ['run.json', 'journal.jsonl', 'sessions.jsonl', 'lease', 'label.json'];

/** Folders that are being made or removed. */
const hidden = /^\./;

/** `told`: called with the changed file and its run, or null when runs may have been added or removed. */
export function watchRuns(
  { workspace, root }: RunFolder,
  told: (changed: { id: string; file: string } | null) => void,
): vscode.Disposable {
  const inside = relative(workspace.uri.fsPath, root);
  const within = inside !== '' && !inside.startsWith('..') && !inside.includes(':');
  const base = within ? workspace.uri : vscode.Uri.file(root);
  const steps = within ? inside.split(sep) : [];
  const prefix = within ? `${steps.join('/')}/` : '';
  // The folders above the runs too: removing one of them removes the runs.
  const above = steps.map((_, depth) => steps.slice(0, depth + 1).join('/'));
  const patterns = [...above, `${prefix}*`, `${prefix}*/{${watched.join(',')}}`];
  const watchers = patterns.map((pattern) =>
    vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, pattern)),
  );
  const tell = (uri: vscode.Uri): void => {
    const path = relative(root, uri.fsPath);
    const [id = '', file] = path.split(sep);
    if (id === '' || id === '..') told(null);
    else if (hidden.test(id)) return;
    else if (file === undefined) told(null);
    else told({ id, file });
  };
  const subscriptions = watchers.flatMap((watcher) => [
    watcher.onDidCreate(tell),
    watcher.onDidChange(tell),
    watcher.onDidDelete(tell),
  ]);
  return vscode.Disposable.from(...watchers, ...subscriptions);
}
