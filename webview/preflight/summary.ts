import type { PreflightView } from '../../src/shared/views/preflight.ts';
import { t } from '@vscode/l10n';

/** How things stand, in a sentence. */
export function summaryOf({ status, checks }: PreflightView): string {
  const count = (state: string): number => checks.filter((check) => check.state === state).length;
  const [failed, warned] = [count('failed'), count('warned')];
  switch (status) {
    case 'checking':
      return t('Checking…');
    case 'stale':
      return t('The window was reloaded, so what was found before is not known any more. Check again.');
    case 'stopped':
      return t('The checks were cancelled.');
    case 'starting':
      return t('Starting the run…');
    case 'blocked':
      return failed === 1
        ? t('One check failed. Mend what it says, then check again.')
        : t('{0} checks failed. Mend what they say, then check again.', failed);
    case 'ready':
      if (warned === 0) return t('Everything passed: the run can start.');
      return warned === 1
        ? t('Nothing failed, but one check warns. The run can start.')
        : t('Nothing failed, but {0} checks warn. The run can start.', warned);
  }
}
