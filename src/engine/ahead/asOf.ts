/** A run's state at the end of an earlier epoch: the limit of what sampling may know there. */
import * as l10n from '@vscode/l10n';
import { takesHold, withChanges } from '../../shared/experiment/changeable.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { LoopError } from '../errors.ts';
import type { LearnerState, PublishedVersion, RunState } from '../state.ts';

/**
 * The epoch at whose start an epoch is sampled, with `staleness` epochs sampled beside the one that is learned from.
 * What was known at its start is what sampling knows. A branch begins as a run does: nothing of its own is sampled before
 * the end of the epochs that it shares, of which `shared` is the last.
 */
export const sampledFrom = (epoch: number, staleness: number, shared = 0): number =>
  Math.max(shared + 1, epoch - staleness);

/**
 * The first epoch that is sampled with what is in force from the start of an epoch: the inverse of `sampledFrom`. What is there
 * before the first epoch of a run, or of a branch after `shared`, reaches that epoch.
 */
export const reachedFrom = (epoch: number, staleness: number, shared = 0): number =>
  epoch <= 1 ? epoch : epoch <= shared + 1 ? Math.min(epoch + staleness, shared + 1) : epoch + staleness;

/**
 * The state as sampling at the start of an epoch sees it: of what was measured, written and added, the epochs before it.
 * @param open what is journaled of the sampled epoch itself, when a resumed run comes to it again
 */
export function stateAtStart(state: RunState, epoch: number, open: RunState['open']): RunState {
  return {
    ...state,
    open,
    summaries: state.summaries.filter((summary) => summary.epoch < epoch),
    validations: state.validations.filter((validation) => validation.epoch < epoch),
    scores: new Map([...state.scores].filter(([scored]) => scored < epoch)),
    lengths: new Map([...state.lengths].filter(([attempted]) => attempted < epoch)),
    poolTasks: new Map([...state.poolTasks].filter(([added]) => added < epoch)),
    edits: state.edits.filter((edit) => edit.epoch <= epoch),
  };
}

/** The settings at the start of an epoch. @throws LoopError `corrupt-run` for a change that does not fit */
export function experimentAtStart(experiment: Experiment, { changes }: Pick<RunState, 'changes'>, epoch: number) {
  const known = changes.filter((change) => (change.late === true ? change.epoch < epoch : change.epoch <= epoch));
  const then = withChanges(
    experiment,
    known.filter(({ field }) => takesHold(field) !== null),
  );
  if (then === null)
    throw new LoopError('corrupt-run', l10n.t('The journal holds a change of settings that does not fit.'));
  return then;
}

/** The version that a policy had at the start of an epoch. @throws LoopError `corrupt-run` when it is no longer known */
export function versionAtStart(learner: LearnerState | null, epoch: number): PublishedVersion {
  const found = learner?.published.findLast((one) => one.epoch < epoch);
  if (found === undefined) {
    throw new LoopError(
      'corrupt-run',
      l10n.t('The journal names no version of the policy from before epoch {0}.', epoch),
    );
  }
  return found;
}
