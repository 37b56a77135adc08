import * as vscode from 'vscode';

/** D_train, D_env, and the tasks that a run was started with. */
export const pools = ['agent', 'environment', 'base'] as const;
export type Pool = (typeof pools)[number];

export function poolName(pool: Pool): string {
  if (pool === 'base') return vscode.l10n.t('Base data');
  return pool === 'agent' ? 'D_train' : 'D_env';
}

export const emptyText = (pool: Pool): string => vscode.l10n.t('{0} of this run is still empty.', poolName(pool));
