import * as vscode from 'vscode';
import { largest } from '../../../shared/extremes.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { judgedWord } from '../../../host/documents/layout/verdictWords.ts';
import { number } from '../../../shared/text/figures/numbers.ts';
import type { RewardOutcome } from '../../../shared/rewards/outcome.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

/** An attempt and a reward's verdict on it. */
export interface Judged {
  /** A trace's id, a case's name. */
  name: string;
  /** The recorded verdict; null where none is. */
  before: Verdict | null;
  /** Its document; null where it has none. */
  document: vscode.Uri | null;
  outcome: RewardOutcome;
}

/** A score as text: verdict and reward beside the recorded ones, parts, note, fault, and printed text. */
export function scoreLines(reward: string, { name: attempt, before, outcome }: Judged): string[] {
  const { verdict, fault, output } = outcome;
  const beside = (now: string, word: (verdict: Verdict) => string): string =>
    before === null ? now : vscode.l10n.t('{0} (recorded: {1})', now, word(before));
  const parts = Object.entries(verdict.parts ?? {}).map(([name, value]): Row => [name, number(value)]);
  const valid = verdict.valid || fault !== null ? [] : [vscode.l10n.t('not valid, kept out of the agent pool')];
  const rows: Row[] = [
    [vscode.l10n.t('verdict'), beside(judgedWord(verdict), judgedWord)],
    [vscode.l10n.t('reward'), beside(rewardOf(verdict), rewardOf)],
    ...valid.map((words): Row => ['', words]),
    ...parts,
    ...(verdict.note === undefined ? [] : [[vscode.l10n.t('note'), inWords(verdict.note)] satisfies Row]),
  ];
  const width = largest(rows.map(([name]) => name.length));
  const section = (title: string, text: string): string[] => (text === '' ? [] : ['', title, text.trimEnd()]);
  return [
    vscode.l10n.t('{0} on {1}', reward, attempt),
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    ...section(vscode.l10n.t('What went wrong'), fault === null ? '' : (fault.stack ?? fault.message)),
    ...section(vscode.l10n.t('What it printed'), output),
  ];
}

type Row = [name: string, value: string];

/** A reward function that failed gave none. */
const rewardOf = ({ reward, error }: Verdict): string => (error === undefined ? number(reward) : '–');
