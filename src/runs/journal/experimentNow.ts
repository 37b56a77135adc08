/** The settings in force of a run: its own, and the changes made while it ran. */
import * as l10n from '@vscode/l10n';
import type { RunState } from '../../engine/state.ts';
import { append } from '../../shared/append.ts';
import { withChanges, type FieldChange } from '../../shared/experiment/changeable.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../shared/journal/events.ts';
import type { Manifest } from '../store/manifest.ts';
import { RunError } from '../store/runError.ts';

/**
 * Changes of a run's settings since its manifest was written. A branch's manifest already contains its parent's changes
 * in the shared epochs.
 */
export function ownChanges({ parent }: Pick<Manifest, 'parent'>, changes: RunState['changes']): RunState['changes'] {
  return parent === null ? changes : changes.filter(({ epoch }) => epoch > parent.epoch);
}

/** Of one event, as a run's state has them. */
export const changesOf = ({ epoch, changes }: EventOf<'settings.changed'>): RunState['changes'] =>
  changes.map(({ field, to }) => ({ field, to, epoch }));

/** @throws RunError `format` when the journal holds a change that does not fit */
export function experimentNow(
  manifest: Pick<Manifest, 'parent' | 'experiment'>,
  state: Pick<RunState, 'changes'>,
): Experiment {
  return changed(manifest.experiment, ownChanges(manifest, state.changes));
}

/** As `experimentNow`, for figures beside it: as the run was started where a change does not fit. */
export const inForce = (
  manifest: Pick<Manifest, 'parent' | 'experiment'>,
  state: Pick<RunState, 'changes'>,
): Experiment => withChanges(manifest.experiment, ownChanges(manifest, state.changes)) ?? manifest.experiment;

/** The settings at the end of an epoch, with which a branch from there starts. @throws RunError `format` */
export async function experimentAt(
  manifest: Pick<Manifest, 'parent' | 'experiment'>,
  events: AsyncIterable<JournalEvent> | Iterable<JournalEvent>,
  epoch: number,
): Promise<Experiment> {
  const made: RunState['changes'][number][] = [];
  for await (const event of events) {
    if (event.type === 'settings.changed' && event.epoch <= epoch) append(made, changesOf(event));
  }
  return changed(manifest.experiment, ownChanges(manifest, made));
}

function changed(experiment: Experiment, changes: readonly FieldChange[]): Experiment {
  const now = withChanges(experiment, changes);
  if (now !== null) return now;
  throw new RunError('format', {
    what: l10n.t('the journal holds a change of settings that does not fit its field'),
    remedy: l10n.t('Branch from an epoch before it.'),
  });
}
