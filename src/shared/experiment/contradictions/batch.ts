/** Checks of an epoch's batch against the use of its data. */
import * as l10n from '@vscode/l10n';
import { pricesOf } from '../../money/prices.ts';
import type { Experiment } from '../schema.ts';
import { batchTasks, shortOfBase } from '../tasks/batchTasks.ts';
import { figure, tolerance, type Check } from './contradiction.ts';

/** Sequences of one epoch's batch. */
const batchSequences = (experiment: Experiment): number => batchTasks(experiment) * experiment.rollouts.group;

export const noRoomForTasks: Check = ({ rollouts: { baseShare, poolShare } }) => {
  if (baseShare + poolShare < 1 - tolerance) return null;
  return {
    fields: ['rollouts.baseShare', 'rollouts.poolShare'],
    message: l10n.t(
      'Base and pool tasks take {0} of the batch: nothing is left for generated ones.',
      figure(baseShare + poolShare),
    ),
    remedy: l10n.t('Keep rollouts.baseShare + rollouts.poolShare below 1.'),
    severity: 'error',
  };
};

export const fewBaseTasks: Check = (experiment) => {
  const short = shortOfBase(experiment);
  if (short === null) return null;
  const { field, asked, there } = short;
  return {
    fields: [field, 'rollouts.baseShare'],
    message: l10n.t(
      'rollouts.baseShare asks for {0} base tasks an epoch, and there are {1}: epochs attempt fewer tasks.',
      asked,
      there,
    ),
    remedy: l10n.t('Raise {0}, give more tasks where they come from a file, or lower rollouts.baseShare.', field),
    severity: 'warning',
  };
};

export const minGroupOverGroup: Check = ({ rollouts: { group, minGroup } }) => {
  if (minGroup === null || minGroup <= group) return null;
  return {
    fields: ['rollouts.minGroup', 'rollouts.group'],
    message: l10n.t('No task can have {0} attempts: it is attempted {1} times.', minGroup, group),
    remedy: l10n.t('Set rollouts.minGroup to at most rollouts.group, or to null for all attempts.'),
    severity: 'error',
  };
};

export const batchUnderMinibatch: Check = (experiment) => {
  const { agent, rollouts } = experiment;
  if (!agent.train || rollouts.baseShare + rollouts.poolShare >= 1 - tolerance) return null;
  const round = Math.min(batchTasks(experiment), rollouts.batch ?? Infinity);
  const [units, unit] =
    agent.minibatchUnit === 'task' ? [round, l10n.t('tasks')] : [round * rollouts.group, l10n.t('attempts')];
  if (units >= agent.minibatch) return null;
  return {
    fields: ['agent.minibatch', 'rollouts.batch', 'generation.families', 'generation.variations', 'rollouts.group'],
    message: l10n.t(
      '{0} has {1} {2}, fewer than one minibatch of {3}.',
      rollouts.batch === null ? l10n.t('An epoch') : l10n.t('A round'),
      units,
      unit,
      agent.minibatch,
    ),
    remedy: l10n.t('Lower agent.minibatch, or attempt more (rollouts.batch, generation.families, n, G).'),
    severity: 'warning',
  };
};

export const budgetUnderAnEpoch: Check = (experiment) => {
  const { budget, rollouts } = experiment;
  if (budget.rollouts === null || rollouts.baseShare + rollouts.poolShare >= 1 - tolerance) return null;
  const sequences = batchSequences(experiment);
  if (budget.rollouts >= sequences) return null;
  return {
    fields: ['budget.rollouts', 'generation.families', 'rollouts.group'],
    message: l10n.t('The budget of {0} rollouts ends in the first epoch, which makes {1}.', budget.rollouts, sequences),
    remedy: l10n.t('Raise budget.rollouts, or make the epochs smaller.'),
    severity: 'warning',
  };
};

export const closedClip: Check = ({ agent: { train, loss, clipLow, clipHigh } }) => {
  if (!train || loss === 'importance_sampling' || clipLow < clipHigh) return null;
  return {
    fields: ['agent.clipLow', 'agent.clipHigh'],
    message: l10n.t(
      'The ratio is clipped to {0}…{1}: loss "{2}" has nothing left to learn from.',
      clipLow,
      clipHigh,
      loss,
    ),
    remedy: l10n.t('The bounds are of the ratio itself: give clipLow below 1 and clipHigh above 1 (0.8 and 1.2).'),
    severity: 'error',
  };
};

/** Nothing could ever use it up. */
export const unpricedBudget: Check = ({ budget, endpoints }) => {
  if (budget.cost === null || pricesOf(endpoints) !== null) return null;
  return {
    fields: ['budget.cost', 'endpoints.agent.pricePerHour', 'endpoints.environment.pricePerHour'],
    message: l10n.t('budget.cost = {0} is never used up: no endpoint has a price.', budget.cost),
    remedy: l10n.t('Give the endpoints a price by the hour (pricePerHour) or by tokens, or set budget.cost to null.'),
    severity: 'error',
  };
};
