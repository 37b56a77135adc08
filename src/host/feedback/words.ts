import * as vscode from 'vscode';
import type { Outlay } from '../../runs/facts/spending.ts';
import { aboutDuration } from '../../shared/text/figures/durations.ts';
import { fixed } from '../../shared/text/figures/numbers.ts';

/** Money so far; of a run that is not over also what is left. */
export function outlayText({ spent, left, epochs }: Outlay, unfinished: boolean): string {
  if (!unfinished) return fixed(spent, 2);
  const rest =
    left === null
      ? vscode.l10n.t('cost left not known before an epoch has finished')
      : vscode.l10n.t('about {0} left, by the last {1} epochs', fixed(left, 2), epochs);
  return `${fixed(spent, 2)}; ${rest}`;
}

/** The time left and the cost so far, as short as rows and the status bar need them. */
export const aheadText = (seconds: number | null, outlay: Outlay | null): string[] => [
  ...(seconds === null ? [] : [vscode.l10n.t('about {0} left', aboutDuration(seconds))]),
  ...(outlay === null ? [] : [vscode.l10n.t('cost {0}', fixed(outlay.spent, 2))]),
];
