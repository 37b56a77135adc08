/** A verdict that overrides the recorded one, in words: the recorded verdict is always shown beside it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { NewVerdict } from '../../../runs/rescored/rescoredVerdicts.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import { judgedWord } from './verdictWords.ts';

/** Newest verdicts by the ids of their traces; traces with only a recorded verdict are absent. */
export type NewVerdicts = ReadonlyMap<string, NewVerdict>;

/** Name of the file that judged. */
export const rewardName = ({ by }: Pick<NewVerdict, 'by'>): string => basename(by.reward.path);

/** `solved (rescored by mine.reward.ts; recorded: not solved)`. */
export const rescoredWord = (recorded: Verdict, newest: NewVerdict | null): string =>
  newest === null
    ? judgedWord(recorded)
    : vscode.l10n.t(
        '{0} (rescored by {1}; recorded: {2})',
        judgedWord(newest.verdict),
        rewardName(newest),
        judgedWord(recorded),
      );

/** `solved (recorded: not solved)` where they differ. */
export function newestWord({ id, verdict }: Pick<Trace, 'id' | 'verdict'>, newest: NewVerdicts): string {
  const recorded = judgedWord(verdict);
  const now = judgedWord(newest.get(id)?.verdict ?? verdict);
  return now === recorded ? recorded : vscode.l10n.t('{0} (recorded: {1})', now, recorded);
}
