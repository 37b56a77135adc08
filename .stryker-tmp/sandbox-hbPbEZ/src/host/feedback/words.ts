import * as vscode from 'vscode';

/** `45 s`, `12 min`, `3 h 20 min`. */
export function duration(seconds: number): string {
  if (seconds < 90) return vscode.l10n.t('{0} s', Math.max(1, Math.round(seconds)));
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return vscode.l10n.t('{0} min', minutes);
  return vscode.l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}
