/** Context keys about runs for `when` clauses of commands, menus and welcome views. */
import * as vscode from 'vscode';
import type { KnownRun, RunCatalog } from './runs.ts';

/** Runs that may be carried on. */
export const isResumable = ({ head, writer }: KnownRun): boolean => writer === null && head.state !== 'finished';

export const isRunning = ({ writer }: KnownRun): boolean => writer !== null;

/** Sets context keys, each told again only when it changes. */
export function contextKeys(): (key: string, value: boolean) => void {
  const told = new Map<string, boolean>();
  return (key, value) => {
    if (told.get(key) === value) return;
    told.set(key, value);
    void vscode.commands.executeCommand('setContext', `genenv.${key}`, value);
  };
}

export function registerContextKeys(catalog: RunCatalog): vscode.Disposable {
  const set = contextKeys();
  const update = (): void => {
    const { runs } = catalog;
    set('hasRuns', runs.length > 0);
    set('hasSeveralRuns', runs.length > 1);
    set('hasRunning', runs.some(isRunning));
    set('hasResumable', runs.some(isResumable));
  };
  void catalog.ready.then(() => {
    update();
    set('scanned', true);
  });
  return vscode.Disposable.from(catalog.onDidChangeList(update), catalog.onDidChangeRuns(update));
}
