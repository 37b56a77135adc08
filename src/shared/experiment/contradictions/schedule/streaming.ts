/** Settings under which no minibatch can be trained while others are attempted. */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../../schema.ts';
import { batchTasks } from '../../tasks/batchTasks.ts';
import { tolerance, type Check } from '../contradiction.ts';

const streams = ({ agent }: Experiment): boolean => agent.train && agent.stream;

export const streamedJobs: Check = (experiment) => {
  if (!streams(experiment) || experiment.endpoints.agent.kind !== 'verl') return null;
  return {
    fields: ['agent.stream', 'endpoints.agent.kind'],
    message: l10n.t('A job of verl makes all attempts of a batch before it trains.'),
    remedy: l10n.t('Set agent.stream to false, or choose an endpoint that is trained step by step.'),
    severity: 'error',
  };
};

export const streamedSpare: Check = (experiment) => {
  const { spare } = experiment.rollouts;
  if (!streams(experiment) || spare === 0) return null;
  return {
    fields: ['agent.stream', 'rollouts.spare'],
    message: l10n.t('Which groups count is known only when enough are complete (rollouts.spare = {0}).', spare),
    remedy: l10n.t('Set agent.stream to false, or rollouts.spare to 0.'),
    severity: 'error',
  };
};

export const streamedAhead: Check = (experiment) => {
  const { staleness } = experiment.rollouts;
  if (!streams(experiment) || staleness === 0) return null;
  return {
    fields: ['agent.stream', 'rollouts.staleness'],
    message: l10n.t(
      'With rollouts.staleness = {0} trainers already work while later epochs are attempted: there is nothing to gain.',
      staleness,
    ),
    remedy: l10n.t('Set agent.stream to false, or rollouts.staleness to 0.'),
    severity: 'error',
  };
};

export const nothingToStream: Check = (experiment) => {
  const { agent, rollouts } = experiment;
  if (!streams(experiment) || rollouts.baseShare + rollouts.poolShare >= 1 - tolerance) return null;
  const round = Math.min(batchTasks(experiment), rollouts.batch ?? Infinity);
  const units = agent.minibatchUnit === 'task' ? round : round * rollouts.group;
  if (units > agent.minibatch) return null;
  return {
    fields: ['agent.stream', 'agent.minibatch'],
    message: l10n.t(
      'All that is attempted before an update is one minibatch of {0}: none is trained before the last attempt ends.',
      agent.minibatch,
    ),
    remedy: l10n.t('Lower agent.minibatch, or set agent.stream to false.'),
    severity: 'warning',
  };
};
