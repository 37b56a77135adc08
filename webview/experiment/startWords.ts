/** The button that starts a run: the first thing to do where no run of this form is there yet. */
import * as l10n from '@vscode/l10n';
import type { FormBranch, FormRun } from '../../src/features/experiment/contract.ts';

/** The runs that a form belongs to. */
export interface FormRuns {
  /** Its own, which has not ended. */
  run: Pick<FormRun, 'name'> | null;
  /** The one that it is the draft of a branch of; making that has a button of its own. */
  branch: Pick<FormBranch, 'epoch' | 'shared'> | null;
  /** The one that it was made from, to begin it anew. */
  rerun: { name: string } | null;
}

export interface StartWords {
  text: string;
  /** One button a view is primary. */
  isPrimary: boolean;
  title: string;
}

export function startWords({ run, branch, rerun }: FormRuns): StartWords {
  if (branch !== null) return { text: l10n.t('Start from the Beginning'), isPrimary: false, title: '' };
  if (run !== null) {
    const title = l10n.t('Starts a new run beside “{0}”, from its first epoch.', run.name);
    return { text: l10n.t('Start Another Run'), isPrimary: false, title };
  }
  if (rerun !== null) {
    const title = l10n.t('A new run, as “{0}” began, with the values of this form.', rerun.name);
    return { text: l10n.t('Rerun with These Values'), isPrimary: true, title };
  }
  return { text: l10n.t('Start Run'), isPrimary: true, title: '' };
}
