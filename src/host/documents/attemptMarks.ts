/** Attempts as a person takes them in at a glance. */
import * as vscode from 'vscode';
import { pooled } from '../../engine/math/successRate.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { measured } from '../../shared/text/figures/intervals.ts';
import { count } from '../../shared/text/figures/numbers.ts';

type Judged = Pick<Verdict, 'success' | 'error'>;

/** More of them are counted instead. */
const mostMarks = 32;

/** Of the attempts that were judged. */
export function rateOf(verdicts: readonly Judged[]): SuccessRate {
  const judged = verdicts.filter(({ error }) => error === undefined);
  return pooled(judged.map(({ success }) => ({ successes: success ? 1 : 0, attempts: 1 })));
}

/** `●●○●`: solved, not solved; `?` where the checker failed. */
export function attemptMarks(verdicts: readonly Judged[]): string {
  const marks = verdicts.map(({ success, error }) => (error !== undefined ? '?' : success ? '●' : '○'));
  return marks.length <= mostMarks ? marks.join('') : `${marks.slice(0, mostMarks).join('')}… ${count(marks.length)}`;
}

/** `p̂ 0.75 [0.30, 0.95] ●●○●` and its click action. */
export const attemptsLens = (verdicts: readonly Judged[]): string =>
  `${measured(rateOf(verdicts))}  ${attemptMarks(verdicts)}  ${vscode.l10n.t('Peek Attempts')}`;
