/**
 * Titles of tabs about runs. The kind stands first, so that a title cut short still tells it, and the run's own name
 * last, so that tabs of two runs differ.
 */
import { basename } from 'node:path';
import type * as vscode from 'vscode';
import type { RunCatalog, RunDir } from '../runs/runs.ts';

/** A run's own name; for a folder outside the list, as an evaluation's is, that folder's. */
export const nameInTitles = (run: RunDir, catalog: Pick<RunCatalog, 'get'>): string =>
  catalog.get(run)?.head.name ?? basename(run);

/** Of several runs side by side. */
export const namesInTitles = (runs: readonly RunDir[], catalog: Pick<RunCatalog, 'get'>): string =>
  runs.map((run) => nameInTitles(run, catalog)).join(' ↔ ');

/** Gives a page its title, and another one when one of its runs is renamed. @param title of the runs' names */
export function entitle(
  panel: Pick<vscode.WebviewPanel, 'title' | 'onDidDispose'>,
  runs: readonly RunDir[],
  catalog: Pick<RunCatalog, 'get' | 'onDidChangeRuns' | 'onDidChangeList'>,
  title: (names: string) => string,
): void {
  const show = (): void => {
    const now = title(namesInTitles(runs, catalog));
    if (panel.title !== now) panel.title = now;
  };
  show();
  const subscriptions = [
    catalog.onDidChangeRuns((dirs) => {
      if (dirs.some((dir) => runs.includes(dir))) show();
    }),
    // A run that was just made may not be listed yet.
    catalog.onDidChangeList(show),
  ];
  panel.onDidDispose(() => {
    for (const subscription of subscriptions) subscription.dispose();
  });
}
