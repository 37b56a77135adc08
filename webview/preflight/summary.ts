import type { PreflightView } from '../../src/features/preflight/contract.ts';
import * as l10n from '@vscode/l10n';

/** How things stand, in a sentence. */
export function summaryOf({ status, checks }: PreflightView): string {
  const count = (state: string): number => checks.filter((check) => check.state === state).length;
  const [failed, warned] = [count('failed'), count('warned')];
  switch (status) {
    case 'checking':
      return l10n.t('Checking…');
    case 'stale':
      return l10n.t('The window was reloaded and the results are gone. Check again.');
    case 'stopped':
      return l10n.t('The checks were cancelled.');
    case 'starting':
      return l10n.t('Starting the run…');
    case 'blocked':
      return failed === 1
        ? l10n.t('One check failed. Fix it, then check again.')
        : l10n.t('{0} checks failed. Fix them, then check again.', failed);
    case 'ready':
      if (warned === 0) return l10n.t('Everything passed: the run can start.');
      return warned === 1
        ? l10n.t('Nothing failed, but one check warns. The run can start.')
        : l10n.t('Nothing failed, but {0} checks warn. The run can start.', warned);
  }
}
