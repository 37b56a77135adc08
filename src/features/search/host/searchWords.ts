/** A search's result in words. */
import * as vscode from 'vscode';
import type { SearchHit } from '../contract/searchHit.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import { parts } from '../../../host/trees/words.ts';
import type { Searched } from './traceSearch.ts';

/** `120 traces · 3 tasks · 45 % searched` */
export function foundWords({ hits, share, summary, stopped, failure }: Searched): string {
  const tasks = hits.filter(({ kind }) => kind === 'task').length;
  const traces = hits.length - tasks;
  return parts(
    traces === 1 ? vscode.l10n.t('1 trace') : vscode.l10n.t('{0} traces', count(traces)),
    tasks === 0 ? null : tasks === 1 ? vscode.l10n.t('1 task') : vscode.l10n.t('{0} tasks', count(tasks)),
    share === null ? null : vscode.l10n.t('{0} searched', percent(share)),
    summary?.limited === true ? vscode.l10n.t('there are more') : null,
    stopped ? vscode.l10n.t('stopped') : null,
    failure === null ? null : vscode.l10n.t('failed'),
  );
}

export function verdictWord(verdict: Extract<SearchHit, { kind: 'trace' }>['verdict']): string {
  const words = {
    solved: vscode.l10n.t('solved'),
    failed: vscode.l10n.t('failed'),
    error: vscode.l10n.t('not judged'),
  };
  return words[verdict];
}
