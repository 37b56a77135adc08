/** Settings that a trainer which takes whole jobs (verl) has no place for, or stops at. */
import * as l10n from '@vscode/l10n';
import { overriddenField, ownOverride } from '../endpoints/verlOverrides.ts';
import type { Experiment } from '../schema.ts';
import { batchTasks, mayFallShort } from '../tasks/batchTasks.ts';
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
    message: l10n.t(
      'Rank 0 trains the whole model, and a server that samples cannot take other weights while it runs.',
    ),
    remedy: l10n.t('Give the rank of an adapter, 32 for example.'),
    severity: 'error',
  };
};

/** A refusal at the line, before a run; a running one reads the GPUs that an override gives. */
export const overriddenFields =
  (role: 'agent' | 'environment'): Check =>
  ({ endpoints }) => {
    const endpoint = endpoints[role];
    if (endpoint.kind !== 'verl') return null;
    const fields = [`endpoints.${role}.overrides`];
    const own = ownOverride(endpoint.overrides);
    if (own !== null) {
      return {
        fields,
        message: l10n.t('{0} is set by GenEnv, which could not read the job’s results otherwise.', own),
        remedy: l10n.t('Remove it from the endpoint’s overrides.'),
        severity: 'error',
      };
    }
    const taken = overriddenField(endpoint.overrides);
    if (taken === null) return null;
    const field = `endpoints.${role}.${taken.field}`;
    return {
      fields: [...fields, field],
      message: l10n.t('{0} is set from {1}, by which GenEnv divides batches and names models.', taken.key, field),
      remedy: l10n.t('Set {0}, and remove {1} from the endpoint’s overrides.', field, taken.key),
      severity: 'error',
      keptByRuns: true,
    };
  };

export const minGroupOfJobs: Check = (experiment) => {
  const { minGroup, group } = experiment.rollouts;
  if (!trainsByJobs(experiment, 'agent') || minGroup === null || minGroup === group) return null;
  return {
    fields: ['rollouts.minGroup', 'endpoints.agent.kind'],
    message: l10n.t(
      'rollouts.minGroup = {0} has no say: a job of verl makes all {1} attempts of a task by itself.',
      minGroup,
      group,
    ),
    remedy: l10n.t('Set rollouts.minGroup to null. Attempts that a job leaves out are counted in the journal.'),
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
    message: l10n.t(
      'A job of verl learns resampled rows, with no KL term and no cap: {0} has no say.',
      fields.join(', '),
    ),
    remedy: l10n.t(
      'Set klCoefficient to 0, both caps to null and tokenWeights to "sequence"; a small learningRate bounds the steps of the environment.',
    ),
    severity: 'warning',
  };
};

/** A run never gets past a batch that verl stops at: its epoch keeps its tasks, and `rollouts.group` changes with the next one. */
export const undividedBatch: Check = (experiment) => {
  const { agent, endpoints, rollouts } = experiment;
  if (!agent.train || endpoints.agent.kind !== 'verl') return null;
  if (rollouts.baseShare + rollouts.poolShare >= 1 - tolerance) return null;
  const gpus = endpoints.agent.nodes * endpoints.agent.gpus;
  if (rollouts.group % gpus === 0) return null;
  const message = whyUndivided(experiment, gpus);
  if (message === null) return null;
  return {
    fields: ['rollouts.group', 'endpoints.agent.gpus'],
    message,
    remedy: l10n.t('Set rollouts.group to a multiple of {0}, or give the endpoint fewer GPUs.', gpus),
    severity: 'error',
  };
};

/** Null where every batch is whole and divides. */
function whyUndivided(experiment: Experiment, gpus: number): string | null {
  const { group, batch } = experiment.rollouts;
  const tasks = batchTasks(experiment);
  if ((tasks * group) % gpus !== 0)
    return l10n.t('A batch of {0} attempts does not divide by {1} GPUs: verl stops at it.', tasks * group, gpus);
  if (batch !== null && batch < tasks)
    return l10n.t(
      'Rounds of {0} tasks differ in size, because families stay whole: verl stops at one whose attempts do not divide by {1} GPUs.',
      batch,
      gpus,
    );
  if (!mayFallShort(experiment)) return null;
  return l10n.t(
    'An epoch has fewer tasks where texts are refused and base tasks do not fill its batch: verl stops at one whose attempts do not divide by {0} GPUs.',
    gpus,
  );
}

export const undividedRows: Check = (experiment) => {
  const { endpoints, environment } = experiment;
  const { minibatch } = environment;
  if (!trainsEnvironment(experiment) || endpoints.environment.kind !== 'verl') return null;
  const { nodes, gpus } = endpoints.environment;
  if (minibatch % (nodes * gpus) === 0) return null;
  return {
    fields: ['environment.minibatch', 'endpoints.environment.gpus'],
    message: l10n.t('{0} rows of a step do not divide by {1} GPUs: verl stops at them.', minibatch, nodes * gpus),
    remedy: l10n.t('Set environment.minibatch to a multiple of {0}, or give the endpoint fewer GPUs.', nodes * gpus),
    severity: 'error',
  };
};
