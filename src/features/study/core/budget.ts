/** The budget that every run of a study gets the same of. */
import * as l10n from '@vscode/l10n';
import type { Override } from '../../../shared/experiment/overrides.ts';
import type { Place, Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { batchTasks } from '../../../shared/experiment/tasks/batchTasks.ts';
import { expectedWork } from '../../../shared/experiment/workload.ts';
import { largest, smallest } from '../../../shared/extremes.ts';
import type { Budget } from '../contract/file.ts';
import type { Arm, StudyPlaces } from './arm.ts';

/** Epochs that no budget of tokens or seconds reaches: the budget ends a run, not its epochs. */
const enoughEpochs = 100_000;

/** Runs end with the epoch in which they spend their budget: arms may differ by this share of it. */
const tolerance = 0.1;

/** A budget in the experiment's own fields. */
export function budgetOverrides({ kind, amount }: Budget, place: Place): Override[] {
  const set = (path: string[], value: unknown): Override => ({ path, value, text: path.join('.'), place });
  const spent = { tokens: null, rollouts: null, seconds: null };
  if (kind === 'updates') {
    return [set(['epochs'], amount), set(['budget'], spent), set(['earlyStop'], null)];
  }
  return [set(['epochs'], enoughEpochs), set(['budget'], { ...spent, [kind]: amount }), set(['earlyStop'], null)];
}

/** Twice as many as the rollouts should take: attempts that an endpoint cannot answer do not count as spent. */
export function epochsFor(budget: Budget, experiment: Experiment): number {
  return (budget.kind === 'rollouts' ? 2 : 1) * epochsSpending(budget, experiment);
}

/** Epochs after which the budget is spent, as far as that is known before. */
export const epochsSpending = ({ kind, amount }: Budget, experiment: Experiment): number =>
  kind === 'rollouts' ? Math.ceil(amount / Math.max(1, expectedWork(experiment).rollouts.epoch)) : experiment.epochs;

/** Updates of the agent in one epoch. */
const updatesOf = (experiment: Experiment): number => {
  const { batch } = experiment.rollouts;
  return batch === null ? 1 : Math.ceil(batchTasks(experiment) / batch);
};

/** Where a budget cannot be the same for every arm, and why. */
export function unequalBudgets({ kind, amount }: Budget, arms: readonly Arm[], places: StudyPlaces): Problem[] {
  if (kind === 'updates') return unequalUpdates(amount, arms, places);
  if (kind !== 'rollouts') return [];
  const steps = arms.map(({ name, experiment }) => ({ name, epoch: expectedWork(experiment).rollouts.epoch }));
  const spent = steps.map(({ epoch }) => Math.ceil(amount / epoch) * epoch);
  const [least, most] = [smallest(spent), largest(spent)];
  if (most - least <= tolerance * amount) return [];
  const wide = steps[spent.indexOf(most)];
  const narrow = steps[spent.indexOf(least)];
  if (wide === undefined || narrow === undefined) return [];
  const message = l10n.t(
    'The budgets cannot be equal: a run ends with an epoch, so "{0}" ({1} rollouts an epoch) would have {2} rollouts and "{3}" ({4} an epoch) {5}.',
    wide.name,
    wide.epoch,
    most,
    narrow.name,
    narrow.epoch,
    least,
  );
  const remedy = l10n.t(
    'Give at least {0} rollouts, or make epochs of a size.',
    Math.ceil(Math.max(wide.epoch, narrow.epoch) / tolerance),
  );
  return [{ ...places.placeOf(['budget', kind]), field: `budget.${kind}`, message, remedy, severity: 'error' }];
}

function unequalUpdates(amount: number, arms: readonly Arm[], places: StudyPlaces): Problem[] {
  const several = arms.find(({ experiment }) => updatesOf(experiment) !== 1);
  if (several === undefined) return [];
  const updates = updatesOf(several.experiment);
  const message = l10n.t(
    'The budgets cannot be equal: an epoch of "{0}" has {1} updates (rollouts.batch), and {2} updates are given an epoch each.',
    several.name,
    updates,
    amount,
  );
  const remedy = l10n.t('Hold rollouts equal instead, or set rollouts.batch to null.');
  return [{ ...places.placeOf(['budget', 'updates']), field: 'budget.updates', message, remedy, severity: 'error' }];
}
