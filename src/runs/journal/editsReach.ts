/**
 * The epoch from which edits of tasks are in force: those that are sampled ahead keep the tasks of the start of their sampling.
 * A branch's shared epochs were sampled by the run that made them, with its own `rollouts.staleness`.
 */
import { reachedFrom, sampledFrom } from '../../engine/ahead/asOf.ts';
import { runOf, type OwnSettings } from './lineage.ts';

const made = (run: OwnSettings, epoch: number) => {
  const { experiment, parent } = runOf([run, ...run.ancestors], epoch);
  return { staleness: experiment.rollouts.staleness, shared: parent?.epoch ?? 0 };
};

/** The first epoch that sees an edit. @param epoch the one that the edit is journaled for */
export function inForceFrom(run: OwnSettings, epoch: number): number {
  const { staleness, shared } = made(run, epoch);
  // A branch begins with all edits of the epochs that it shares.
  const begun = [run, ...run.ancestors].flatMap(({ parent }) =>
    parent !== null && epoch <= parent.epoch ? [parent.epoch + 1] : [],
  );
  return begun.reduce((first, one) => Math.min(first, one), reachedFrom(epoch, staleness, shared));
}

/** The epoch whose edits an epoch was sampled with. */
export function editsSeenBy(run: OwnSettings, epoch: number): number {
  const { staleness, shared } = made(run, epoch);
  return sampledFrom(epoch, staleness, epoch > shared ? shared : 0);
}
