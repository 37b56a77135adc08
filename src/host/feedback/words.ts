import * as vscode from 'vscode';
import type { Outlay } from '../../runs/facts/spending.ts';

/** `45 s`, `12 min`, `3 h 20 min`. */
export function duration(seconds: number): string {
  if (seconds < 90) return vscode.l10n.t('{0} s', Math.max(1, Math.round(seconds)));
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return vscode.l10n.t('{0} min', minutes);
  return vscode.l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** Money so far; of a run that is not over also what is left. */
export function outlayText({ spent, left, epochs }: Outlay, unfinished: boolean): string {
  if (!unfinished) return spent.toFixed(2);
  const rest =
    left === null
      ? vscode.l10n.t('cost left not known before an epoch has finished')
      : vscode.l10n.t('about {0} left, by the last {1} epochs', left.toFixed(2), epochs);
  return `${spent.toFixed(2)}; ${rest}`;
}
