/** A Test Explorer's part that is loaded when the workspace has a file of cases. */
import * as vscode from 'vscode';
import type { Failures } from '../feedback/failures.ts';
import { onReturn } from '../files/onReturn.ts';
import { once } from '../once.ts';
import { findWorked } from './casesPlace.ts';

interface Tests extends vscode.Disposable {
  list(cases: vscode.Uri): Promise<void>;
}

interface Cases<T> {
  /** Glob of the files of cases. */
  pattern: string;
  isCases: (uri: vscode.Uri) => boolean;
  load: () => Promise<T>;
  /** "The cases of rewards cannot be listed" */
  failed: () => string;
  failures: Failures;
}

/** The Test Explorer's items, once there is a case. */
export function registerCases<T extends Tests>(
  { subscriptions }: vscode.ExtensionContext,
  { pattern, isCases, load, failed, failures }: Cases<T>,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const tests = once(async () => {
    watching.dispose();
    const made = await load();
    subscriptions.push(made);
    // Files that came while it was loaded: nothing watched for them.
    for (const cases of await findWorked(pattern)) if (isCases(cases)) await made.list(cases);
    resolve(made);
    return made;
  });
  const list = async (found: readonly vscode.Uri[]): Promise<void> => {
    for (const cases of found.filter(isCases)) await (await tests()).list(cases);
  };
  const listed = (found: readonly vscode.Uri[]): void => void failures.guard(failed(), () => list(found));
  const find = (): void => void findWorked(pattern).then(listed);
  // The first one starts the watchers of all.
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
  const watching = vscode.Disposable.from(
    watcher,
    watcher.onDidCreate((uri) => listed([uri])),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => listed([uri])),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => listed([uri])),
    onReturn(find),
  );
  subscriptions.push(watching);
  find();
  return promise;
}
