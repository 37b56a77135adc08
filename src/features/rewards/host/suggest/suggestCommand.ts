/** Suggest Cases…: attempts of a run that a reward should be tested on; the user picks, and gives the right verdict. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { suggestCases, type SuggestAsk, type SuggestedCases } from '../../node/suggestCases.ts';
import { casesFile, pinnedCase, withCase, type RewardCase } from '../../../../shared/rewards/cases.ts';
import type { CommandContext } from '../../../../host/commands/context.ts';
import { pickRun } from '../../../../host/commands/pickRun.ts';
import { traceUri } from '../../../../host/documents/layout/place.ts';
import type { OpenRuns } from '../../../../host/trees/openRuns.ts';
import { count } from '../../../../shared/text/figures/numbers.ts';
import { askExpected } from '../askExpected.ts';
import { otherRewards } from '../../../../host/files/rewardFiles.ts';
import { rewriteCases } from '../rewriteCases.ts';
import { pickSuggestions } from './pickSuggestions.ts';

export interface SuggestNeeds extends Pick<CommandContext, 'catalog' | 'clock' | 'dist'> {
  open: OpenRuns;
}

/** That are suggested at once. */
const most = 12;

/** @param argument a run, where it was called on one; @returns cases that were pinned, null when it was given up */
export async function suggestCommand(
  { catalog, clock, open, dist }: SuggestNeeds,
  reward: vscode.Uri,
  argument: unknown,
): Promise<{ cases: vscode.Uri; pinned: number } | null> {
  const title = vscode.l10n.t('Cases for {0}', basename(reward.path));
  const known = await pickRun({ catalog, clock }, argument, {
    title: vscode.l10n.t('{0}: from which run?', title),
    fits: () => true,
    none: vscode.l10n.t('There is no run yet, so there is no attempt to suggest.'),
  });
  const against = known && (await askAgainst(reward, title));
  if (known === undefined || against === undefined) return null;
  const run = await open.open(known.dir);
  const ask = { run: run.followed.reader, file: reward.fsPath, against: against.file, most };
  const suggested = await withProgress(title, dist, ask);
  if (suggested === null) return null;
  if (suggested.cases.length === 0) {
    const words = vscode.l10n.t(
      'Nothing to suggest: none of {0} attempts is judged differently, and none lies at the threshold.',
      count(suggested.attempts),
    );
    void vscode.window.showInformationMessage(words);
    return null;
  }
  const picked = await pickSuggestions(suggested, title, (trace) => traceUri(known.dir, trace));
  const cases: RewardCase[] = [];
  for (const [index, { id, call, recorded }] of picked.entries()) {
    const which = vscode.l10n.t('Pin {0} as a case ({1} of {2})', id, index + 1, picked.length);
    const expected = await askExpected(id, recorded, which);
    // Answers so far are kept.
    if (expected === undefined) break;
    cases.push(pinnedCase(call, expected, { run: run.followed.manifest.id, trace: id }, ''));
  }
  if (cases.length === 0) return null;
  const uri = reward.with({ path: casesFile(reward.path) });
  await rewriteCases(uri, (text) => cases.reduce(withCase, text));
  return { cases: uri, pinned: cases.length };
}

/** Undefined when it was given up. */
async function askAgainst(reward: vscode.Uri, title: string): Promise<{ file: string | null } | undefined> {
  const recorded = {
    label: vscode.l10n.t('What was recorded'),
    description: vscode.l10n.t('the verdicts that the run was trained by'),
    file: null,
  };
  const others = (await otherRewards(reward)).map((uri) => ({
    label: basename(uri.path),
    description: vscode.workspace.asRelativePath(uri),
    file: uri.fsPath,
  }));
  if (others.length === 0) return recorded;
  const placeHolder = vscode.l10n.t('Compare with what? Attempts that are judged differently come first.');
  return vscode.window.showQuickPick<vscode.QuickPickItem & { file: string | null }>([recorded, ...others], {
    ignoreFocusOut: true,
    title,
    placeHolder,
    matchOnDescription: true,
  });
}

/** Null when it was stopped. */
async function withProgress(title: string, dist: URL, ask: SuggestAsk): Promise<SuggestedCases | null> {
  const ending = new AbortController();
  const { file } = ask;
  // The function runs from the disk.
  await vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file)?.save();
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    token.onCancellationRequested(() => ending.abort());
    let behind = 0;
    const onProgress = (done: number, total: number): void => {
      const percent = Math.floor((100 * done) / total);
      if (percent === behind) return;
      const message = vscode.l10n.t('{0} of {1} attempts', count(done), count(total));
      progress.report({ increment: percent - behind, message });
      behind = percent;
    };
    try {
      return await suggestCases(ask, { dist, signal: ending.signal, onProgress });
    } catch (error) {
      if (!ending.signal.aborted) throw error;
      return null;
    }
  });
}
