import * as vscode from 'vscode';
import { knownAnswerTokens } from '../../../engine/phases/attempts/traceTokens.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';

/** How an attempt was judged. */
export function judgedWord(verdict: Pick<Verdict, 'success' | 'error'>): string {
  if (verdict.error !== undefined) return vscode.l10n.t('checker failed');
  return verdict.success ? vscode.l10n.t('solved') : vscode.l10n.t('not solved');
}

/** Why the judge failed, or its note, in the reader's language; null where there is neither. */
export function noteWords({ error, note }: Pick<Verdict, 'error' | 'note'>): string | null {
  const recorded = error ?? note;
  return recorded === undefined ? null : inWords(recorded);
}

/** Why an attempt ended. */
export function endWord(stopReason: Trace['stopReason']): string {
  const words: Record<Trace['stopReason'], string> = {
    stop: vscode.l10n.t('ended by itself'),
    length: vscode.l10n.t('cut at the token limit'),
    turns: vscode.l10n.t('out of turns'),
  };
  return words[stopReason];
}

/** Sampled tokens of a trace. */
export function tokenWords(trace: Trace): string {
  const tokens = knownAnswerTokens(trace);
  return tokens === null ? vscode.l10n.t('tokens not known') : vscode.l10n.t('{0} tokens', count(tokens));
}
