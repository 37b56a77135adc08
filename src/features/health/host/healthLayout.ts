/** The additions to a task's document: health flags, and the attempts that users requested. */
import * as vscode from 'vscode';
import { pooled } from '../../../engine/math/successRate.ts';
import { ratesOf, type Reattempt } from '../../../shared/records/reattempt.ts';
import { flagWord } from '../core/flagWord.ts';
import type { ToldHealth } from './runHealths.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { parts } from '../../../host/trees/words.ts';
import { writeLines } from '../../../host/documents/layout/layout.ts';
import { columns, marked, written, type Line } from '../../../host/documents/layout/line.ts';
import type { Page } from '../../../host/documents/layout/page.ts';

export function writeHealth(page: Page, health: ToldHealth): void {
  const lines =
    'why' in health
      ? [vscode.l10n.t('It could not be judged: {0}', health.why)]
      : columns(health.flags.map((flag) => [flagWord(flag.flag), marked(flag.why, { kind: 'flag', flag })]));
  writeLines(page, vscode.l10n.t('Health'), lines);
}

export function writeReattempts(page: Page, reattempts: readonly Reattempt[]): void {
  writeLines(page, vscode.l10n.t('Attempted again'), reattempts.flatMap(linesOf));
}

function linesOf(reattempt: Reattempt): Line[] {
  const { author, version, edited, fork, state, traces } = reattempt;
  const { before, after } = ratesOf(reattempt);
  const was = edited === null ? vscode.l10n.t('as recorded') : vscode.l10n.t('before the edit');
  const head = parts(
    version,
    fork === undefined ? null : vscode.l10n.t('from turn {0} of {1}', count(fork.turn + 1), fork.trace),
    `${was}: ${measured(pooled([before]))}`,
    `${vscode.l10n.t('now')}: ${measured(pooled([after]))}`,
    vscode.l10n.t('{0} attempts', count(after.attempts)),
    author,
    state === 'finished' ? null : endOf(reattempt),
  );
  const links = [...traces.before, ...traces.after].map(({ id, verdict }) => {
    const mark = verdict.error !== undefined ? '?' : verdict.success ? '✓' : '✗';
    return written(marked(`${mark} ${shortName(id)}`, { kind: 'again', trace: id }), '  ');
  });
  return [written(head), ...(links.length === 0 ? [] : [written('  ', ...links)])];
}

/** `after r3`. */
function shortName(id: string): string {
  const [side = ''] = id.split('.');
  return `${side} ${id.split('/').at(-1) ?? ''}`;
}

function endOf({ state, message }: Reattempt): string {
  if (state === 'failed') return vscode.l10n.t('failed: {0}', message ?? '');
  return state === 'stopped' ? vscode.l10n.t('stopped') : vscode.l10n.t('not finished');
}
