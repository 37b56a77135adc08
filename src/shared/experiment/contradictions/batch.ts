/** Checks of an epoch's batch against the use of its data. */
import { pricesOf } from '../../money/prices.ts';
import type { Experiment } from '../schema.ts';
import { batchTasks } from '../workload.ts';
import { number, tolerance, type Check } from './contradiction.ts';

/** Sequences of one epoch's batch. */
const batchSequences = (experiment: Experiment): number => batchTasks(experiment) * experiment.rollouts.group;

export const noRoomForTasks: Check = ({ rollouts: { baseShare, poolShare } }) => {
  if (baseShare + poolShare < 1 - tolerance) return null;
  return {
    fields: ['rollouts.baseShare', 'rollouts.poolShare'],
    message: `Base and pool tasks take ${number(baseShare + poolShare)} of the batch: nothing is left for generated ones.`,
    remedy: 'Keep rollouts.baseShare + rollouts.poolShare below 1.',
    severity: 'error',
  };
};

export const minGroupOverGroup: Check = ({ rollouts: { group, minGroup } }) => {
  if (minGroup === null || minGroup <= group) return null;
  return {
    fields: ['rollouts.minGroup', 'rollouts.group'],
    message: `No task can have ${minGroup} attempts: it is attempted ${group} times.`,
    remedy: 'Set rollouts.minGroup to at most rollouts.group, or to null for all attempts.',
    severity: 'error',
  };
};

export const batchUnderMinibatch: Check = (experiment) => {
  const { agent, rollouts } = experiment;
  if (!agent.train || rollouts.baseShare + rollouts.poolShare >= 1 - tolerance) return null;
  const round = Math.min(batchTasks(experiment), rollouts.batch ?? Infinity);
  const [units, unit] = agent.minibatchUnit === 'task' ? [round, 'tasks'] : [round * rollouts.group, 'attempts'];
  if (units >= agent.minibatch) return null;
  return {
    fields: ['agent.minibatch', 'rollouts.batch', 'generation.families', 'generation.variations', 'rollouts.group'],
    message: `${rollouts.batch === null ? 'An epoch' : 'A round'} has ${units} ${unit}, fewer than one minibatch of ${agent.minibatch}.`,
    remedy: 'Lower agent.minibatch, or attempt more (rollouts.batch, generation.families, n, G).',
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
    message: `The budget of ${budget.rollouts} rollouts ends in the first epoch, which makes ${sequences}.`,
    remedy: 'Raise budget.rollouts, or make the epochs smaller.',
    severity: 'warning',
  };
};

export const closedClip: Check = ({ agent: { train, loss, clipLow, clipHigh } }) => {
  if (!train || loss === 'importance_sampling' || clipLow < clipHigh) return null;
  return {
    fields: ['agent.clipLow', 'agent.clipHigh'],
    message: `The ratio is clipped to ${clipLow}…${clipHigh}: loss "${loss}" has nothing left to learn from.`,
    remedy: 'The bounds are of the ratio itself: give clipLow below 1 and clipHigh above 1 (0.8 and 1.2).',
    severity: 'error',
  };
};

/** Nothing could ever use it up. */
export const unpricedBudget: Check = ({ budget, endpoints }) => {
  if (budget.cost === null || pricesOf(endpoints) !== null) return null;
  return {
    fields: ['budget.cost', 'endpoints.agent.pricePerHour', 'endpoints.environment.pricePerHour'],
    message: `budget.cost = ${budget.cost} is never used up: no endpoint has a price.`,
    remedy: 'Give the endpoints a price by the hour (pricePerHour) or by tokens, or set budget.cost to null.',
    severity: 'error',
  };
};
