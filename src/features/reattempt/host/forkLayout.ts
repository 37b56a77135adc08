/** The forks of a trace in its document: success rates by turn, and the turn that decided. */
import * as vscode from 'vscode';
import { pooled } from '../../../engine/math/successRate.ts';
import { writeLines } from '../../../host/documents/layout/layout.ts';
import { columns, marked, written, type Line } from '../../../host/documents/layout/line.ts';
import type { Page } from '../../../host/documents/layout/page.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { count, rate } from '../../../shared/text/figures/numbers.ts';
import { compareIds } from '../../../host/trees/runs/familyGroups.ts';
import { parts } from '../../../host/trees/words.ts';
import { ratesOf, type Rate, type Reattempt } from '../../../shared/records/reattempt.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { decidingStep, forkSteps, type VersionSteps } from '../core/decidingTurn.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

/** @param forks of this trace, in the order they were begun */
export function writeForks(page: Page, trace: Trace, forks: readonly Reattempt[]): void {
  const [first] = forks;
  if (first === undefined) return;
  const sorted = forks.toSorted((a, b) => turnOf(a) - turnOf(b));
  const rows = sorted.map((fork): [string, Line] => [whereOf(fork), forkLine(fork)]);
  writeLines(page, vscode.l10n.t('Forks'), [
    ...columns([[vscode.l10n.t('as recorded'), parts(rateWords(ratesOf(first).before), trace.version)], ...rows]),
    ...decisions(trace, forks),
  ]);
}

const turnOf = ({ fork }: Reattempt): number => fork?.turn ?? 0;

const whereOf = (one: Reattempt): string =>
  one.fork?.text == null
    ? vscode.l10n.t('from turn {0}', count(turnOf(one) + 1))
    : vscode.l10n.t('from turn {0}, edited', count(turnOf(one) + 1));

const rateWords = (given: Rate): string =>
  parts(measured(pooled([given])), vscode.l10n.t('{0}/{1} solved', count(given.successes), count(given.attempts)));

function forkLine(fork: Reattempt): Line {
  const links = fork.traces.after
    .toSorted((a, b) => compareIds(a.id, b.id))
    .flatMap(({ id, verdict }): (Line | string)[] => {
      const mark = verdict.error !== undefined ? '?' : verdict.success ? '✓' : '✗';
      return ['  ', marked(`${mark} ${id.split('/').at(-1) ?? ''}`, { kind: 'again', trace: id })];
    });
  const ended = fork.state === 'failed' ? inWords(fork.message ?? vscode.l10n.t('failed')) : null;
  return written(parts(rateWords(ratesOf(fork).after), fork.version, ended), ...links);
}

/** A line a version, where it began at several turns. */
const decisions = (trace: Trace, forks: readonly Reattempt[]): string[] =>
  forkSteps(forks, trace).flatMap((one) => (one.steps.length < 2 ? [] : [decision(one)]));

function decision({ version, steps }: VersionSteps): string {
  const decided = decidingStep(steps);
  if (decided === null)
    return vscode.l10n.t('No turn decided clearly for {0}: more attempts narrow the intervals.', version);
  const { d, low, high } = decided.change;
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${rate(Math.abs(value))}`;
  const by = `${signed(d)} [${signed(low)}, ${signed(high)}]`;
  return vscode.l10n.t('Turn {0} decided for {1}: with it, p̂ changes by {2}.', count(decided.turn + 1), version, by);
}
