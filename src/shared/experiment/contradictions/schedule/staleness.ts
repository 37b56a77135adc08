/** Settings under which an epoch cannot be sampled before the updates that it follows. */
import * as l10n from '@vscode/l10n';
import type { Check } from '../contradiction.ts';

export const staleRounds: Check = ({ rollouts: { staleness, batch } }) => {
  if (staleness === 0 || batch === null) return null;
  return {
    fields: ['rollouts.staleness', 'rollouts.batch'],
    message: l10n.t(
      'rollouts.batch = {0} learns within an epoch, and rollouts.staleness = {1} attempts it before.',
      batch,
      staleness,
    ),
    remedy: l10n.t('Set rollouts.batch to null, or rollouts.staleness to 0.'),
    severity: 'error',
  };
};

export const staleRelease: Check = ({ mode, rollouts: { staleness } }) => {
  if (staleness === 0 || mode !== 'release') return null;
  return {
    fields: ['rollouts.staleness', 'mode'],
    message: l10n.t(
      'Mode “release” ranks seeds by the newest agent, so no epoch can be sampled before the update it follows.',
    ),
    remedy: l10n.t('Set rollouts.staleness to 0.'),
    severity: 'error',
  };
};

export const staleJobs: Check = ({ agent, endpoints, environment, mode, rollouts: { staleness } }) => {
  if (staleness === 0) return null;
  const role =
    agent.train && endpoints.agent.kind === 'verl'
      ? 'agent'
      : mode === 'coevolve' && environment.update !== 'none' && endpoints.environment.kind === 'verl'
        ? 'environment'
        : null;
  if (role === null) return null;
  return {
    fields: ['rollouts.staleness', `endpoints.${role}.kind`],
    message: l10n.t(
      'A job of verl samples and trains on the same GPUs: the {0} cannot be sampled while it is trained.',
      role,
    ),
    remedy: l10n.t('Set rollouts.staleness to 0, or choose an endpoint that is trained step by step.'),
    severity: 'error',
  };
};

export const staleSampler: Check = ({ rollouts: { staleness, sampler } }) => {
  if (staleness === 0 || sampler.kind === 'uniform') return null;
  return {
    fields: ['rollouts.staleness', 'rollouts.sampler.kind'],
    message: l10n.t(
      'Sampler “{0}” draws by the newest success rates, which an epoch that is sampled early does not have.',
      sampler.kind,
    ),
    remedy: l10n.t('Set rollouts.staleness to 0, or rollouts.sampler.kind to "uniform".'),
    severity: 'error',
  };
};
