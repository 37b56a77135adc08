/** Attempts of a run's agent, with a notification that tells how far they are and can cancel them. */
import * as vscode from 'vscode';
import { pooled } from '../../../engine/math/successRate.ts';
import { reattempt, type ReattemptAsk } from '../node/reattempt.ts';
import { progressOf, ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import { runLog } from '../../../host/feedback/log.ts';
import { author } from '../../../launch/author.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { parts } from '../../../host/trees/words.ts';
import type { ReattemptNeeds } from './reattemptNeeds.ts';
import { inReadersLanguage } from '../../../launch/language.ts';

/** A slip of the keyboard must not become a bill. */
const mostAttempts = 1024;

/** @throws ReattemptError, RunError, InputError, and the endpoint's own errors */
export async function attempting(
  needs: ReattemptNeeds,
  title: string,
  ask: Omit<ReattemptAsk, 'author'>,
): Promise<Reattempt> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, cancelled) => {
      const ending = new AbortController();
      cancelled.onCancellationRequested(() => ending.abort(new Error('Cancelled.')));
      let told = 0;
      return reattempt(
        { ...ask, author: author() },
        {
          ...{ dist: needs.dist, clock: needs.clock, keys: needs.keys, log: runLog(needs.log), signal: ending.signal },
          onProgress: inReadersLanguage((now) => {
            const { done, total } = progressOf(now);
            const message = parts(
              vscode.l10n.t('{0} of {1}', count(done), count(total)),
              measured(pooled([ratesOf(now).after])),
            );
            progress.report({ message, increment: (100 * (done - told)) / total });
            told = done;
          }),
        },
      );
    },
  );
}

/** @returns null where the user cancelled */
export async function askCount(title: string, prompt: string, usual: number): Promise<number | null> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    ...{ title, prompt, value: String(usual) },
    validateInput: (typed) =>
      /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= mostAttempts
        ? null
        : vscode.l10n.t('A whole number from 1 to {0}.', count(mostAttempts)),
  });
  return text === undefined ? null : Number(text);
}
