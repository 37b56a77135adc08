/** Settings that a trainer which takes whole jobs (verl) has no place for, or stops at. */
import type { Experiment } from '../schema.ts';
import { batchTasks } from '../workload.ts';
import { tolerance, type Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

/** Whether jobs train a policy of this experiment. */
const trainsByJobs = (experiment: Experiment, role: 'agent' | 'environment'): boolean =>
  experiment.endpoints[role].kind === 'verl' &&
  (role === 'agent' ? experiment.agent.train : trainsEnvironment(experiment));

export const fullWeightsOfJobs: Check = (experiment) => {
  const role = (['agent', 'environment'] as const).find((one) => {
    const endpoint = experiment.endpoints[one];
    return endpoint.kind === 'verl' && endpoint.rank === 0 && trainsByJobs(experiment, one);
  });
  if (role === undefined) return null;
  return {
    fields: [`endpoints.${role}.rank`],
    message: 'Rank 0 trains the whole model, and a server that samples cannot take other weights while it runs.',
    remedy: 'Give the rank of an adapter, 32 for example.',
    severity: 'error',
  };
};

export const minGroupOfJobs: Check = (experiment) => {
  const { minGroup, group } = experiment.rollouts;
  if (!trainsByJobs(experiment, 'agent') || minGroup === null || minGroup === group) return null;
  return {
    fields: ['rollouts.minGroup', 'endpoints.agent.kind'],
    message: `rollouts.minGroup = ${minGroup} has no say: a job of verl makes all ${group} attempts of a task by itself.`,
    remedy: 'Set rollouts.minGroup to null. Attempts that a job leaves out are counted in the journal.',
    severity: 'warning',
  };
};

export const termsWithoutPlace: Check = (experiment) => {
  if (!trainsByJobs(experiment, 'environment')) return null;
  const { klCoefficient, updateKlCap, totalKlCap, tokenWeights } = experiment.environment;
  const fields = [
    ...(klCoefficient === 0 ? [] : ['environment.klCoefficient']),
    ...(updateKlCap === null ? [] : ['environment.updateKlCap']),
    ...(totalKlCap === null ? [] : ['environment.totalKlCap']),
    ...(tokenWeights === 'sequence' ? [] : ['environment.tokenWeights']),
  ];
  if (fields.length === 0) return null;
  return {
    fields: [...fields, 'endpoints.environment.kind'],
    message: `A job of verl learns resampled rows, with no KL term and no cap: ${fields.join(', ')} has no say.`,
    remedy:
      'Set klCoefficient to 0, both caps to null and tokenWeights to "sequence"; baseShare and a small learningRate ' +
      'keep the environment near its start.',
    severity: 'warning',
  };
};

export const undividedBatch: Check = (experiment) => {
  const { agent, endpoints, rollouts } = experiment;
  if (!agent.train || endpoints.agent.kind !== 'verl') return null;
  if (rollouts.baseShare + rollouts.poolShare >= 1 - tolerance) return null;
  const { nodes, gpus } = endpoints.agent;
  const attempts = batchTasks(experiment) * rollouts.group;
  if (attempts % (nodes * gpus) === 0) return null;
  return {
    fields: ['rollouts.group', 'endpoints.agent.gpus'],
    message: `A batch of ${attempts} attempts does not divide by ${nodes * gpus} GPUs: verl stops at it.`,
    remedy: `Set rollouts.group to a multiple of ${nodes * gpus}, or give the endpoint fewer GPUs.`,
    severity: 'error',
  };
};

export const undividedRows: Check = (experiment) => {
  const { endpoints, environment } = experiment;
  const { minibatch } = environment;
  if (!trainsEnvironment(experiment) || endpoints.environment.kind !== 'verl') return null;
  const { nodes, gpus } = endpoints.environment;
  if (minibatch % (nodes * gpus) === 0) return null;
  return {
    fields: ['environment.minibatch', 'endpoints.environment.gpus'],
    message: `${minibatch} rows of a step do not divide by ${nodes * gpus} GPUs: verl stops at them.`,
    remedy: `Set environment.minibatch to a multiple of ${nodes * gpus}, or give the endpoint fewer GPUs.`,
    severity: 'error',
  };
};
