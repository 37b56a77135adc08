/** Check Adapter: over all its data; every record that does not fit is a problem at its line, and a summary opens. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { checkAdapter, type AdapterReport } from '../../../launch/adapters/checkAdapter.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { diagnosticOf } from '../../../host/fileProblems.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { readyAdapter } from './adapterReady.ts';
import { readsOutside } from '../../../host/files/readsOutside.ts';
import { summaryOf } from './checkSummary.ts';

/** The Problems panel shows at most this many of one file; the summary counts them all. */
const mostShown = 1000;

/** @param collection where the problems of earlier checks stand: those of this adapter's data are replaced */
export async function checkCommand(uri: vscode.Uri, collection: vscode.DiagnosticCollection): Promise<void> {
  requireTrust();
  const ready = await readyAdapter(uri);
  if (ready === undefined) return;
  const { adapter, folder } = ready;
  const title = vscode.l10n.t('Checking {0}', adapter.name);
  const location = vscode.ProgressLocation.Notification;
  const problems: Problem[] = [];
  let counted = 0;
  const report = await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort());
    const checking = checkAdapter(adapter, folder, {
      signal: ending.signal,
      outside: readsOutside(uri),
      onRecord: (split, records) => {
        if (records % 500 === 0) progress.report({ message: vscode.l10n.t('{0}: {1} records', split, count(records)) });
      },
    });
    try {
      for (;;) {
        const next = await checking.next();
        if (next.done === true) return next.value;
        if (!('problem' in next.value)) continue;
        counted += 1;
        if (problems.length < mostShown * 10) problems.push(next.value.problem);
      }
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    }
  });
  if (report === null) return;
  show(folder, problems, collection);
  await showSummary(adapter.name, basename(uri.path), { report, problems, counted, obtain: adapter.data.obtain });
}

function show(folder: string, problems: readonly Problem[], collection: vscode.DiagnosticCollection): void {
  for (const [uri] of collection) if (uri.fsPath.startsWith(folder)) collection.delete(uri);
  for (const [file, own] of Map.groupBy(problems, ({ file }) => file)) {
    const shown = own.slice(0, mostShown).map((problem) => diagnosticOf(problem, ''));
    collection.set(vscode.Uri.file(file), shown);
  }
}

async function showSummary(
  name: string,
  file: string,
  found: { report: AdapterReport; problems: readonly Problem[]; counted: number; obtain: string },
): Promise<void> {
  const content = summaryOf(name, file, found);
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}
