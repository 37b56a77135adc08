import * as l10n from '@vscode/l10n';
import type { Manifest } from './manifest.ts';
import { RunError } from './runError.ts';

/** @throws RunError `cannot-branch` for a run that was imported */
export function refuseBranchOfImported({ id, imported }: Pick<Manifest, 'id' | 'imported'>): void {
  if (imported === null) return;
  throw new RunError('cannot-branch', {
    what: l10n.t('the run {0} was imported, and has no checkpoints to begin from', id),
    remedy: l10n.t('Make seed tasks of the original file with “genenv import”, and run an experiment on them.'),
  });
}
