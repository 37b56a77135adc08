/** The attempts at a task, as a table. */
import * as l10n from '@vscode/l10n';
import { withMarksShown } from '../../../src/shared/text/hiddenMarks.ts';
import type { TaskDetail } from '../../../src/features/tasks/contract.ts';
import { count, rate } from '../../../src/shared/text/figures/numbers.ts';
import type { TableSource } from '../../lib/lists/table.ts';

type Attempt = TaskDetail['attempts'][number];

const verdictWord = (verdict: Attempt['verdict']): string =>
  ({
    solved: l10n.t('● solved'),
    failed: l10n.t('○ not solved'),
    error: l10n.t('× checker failed'),
  })[verdict];

/** Newest epoch first, in the given order within one. */
export function attemptsTable(attempts: readonly Attempt[], open: (trace: string) => void): TableSource {
  const sorted = [...attempts].sort((a, b) => b.epoch - a.epoch);
  return {
    columns: [
      { title: l10n.t('Verdict') },
      { title: l10n.t('Epoch'), format: count },
      { title: l10n.t('Reward'), format: rate },
      { title: l10n.t('Tokens'), format: count },
      { title: l10n.t('Answer'), wide: true },
    ],
    count: sorted.length,
    row: (index) => {
      const attempt = sorted[index];
      if (attempt === undefined) return [];
      const { verdict, epoch, reward, tokens, answer } = attempt;
      return [verdictWord(verdict), epoch, reward, tokens, withMarksShown(answer)];
    },
    choose: (index) => {
      const attempt = sorted[index];
      if (attempt !== undefined) open(attempt.trace);
    },
  };
}
