/** Settings under which the first complete groups of more cannot count. */
import * as l10n from '@vscode/l10n';
import { trainsEnvironment } from '../../trains.ts';
import type { Check } from '../contradiction.ts';

const remedy = (other: string): string => l10n.t('Set rollouts.spare to 0, or {0}', other);

export const spareRelease: Check = ({ mode, rollouts: { spare } }) => {
  if (spare === 0 || mode !== 'release') return null;
  return {
    fields: ['rollouts.spare', 'mode'],
    message: l10n.t('Mode “release” writes from the seeds that it has ranked: it has no spare ones.'),
    remedy: remedy(l10n.t('choose another mode.')),
    severity: 'error',
  };
};

export const spareJobs: Check = ({ agent, endpoints, rollouts: { spare } }) => {
  if (spare === 0 || !agent.train || endpoints.agent.kind !== 'verl') return null;
  return {
    fields: ['rollouts.spare', 'endpoints.agent.kind'],
    message: l10n.t(
      'A job of verl makes all attempts of a batch before it returns: none can be ended once enough are complete.',
    ),
    remedy: remedy(l10n.t('choose an endpoint that is trained step by step.')),
    severity: 'error',
  };
};

export const spareBesideCutOff: Check = (experiment) => {
  const { mode, rollouts } = experiment;
  const cuts = rollouts.cutOff !== 'off' && mode === 'coevolve' && trainsEnvironment(experiment);
  if (rollouts.spare === 0 || !cuts) return null;
  return {
    fields: ['rollouts.spare', 'rollouts.cutOff'],
    message: l10n.t(
      'Families that are cut off are complete sooner, so they would take the places of those inside the band.',
    ),
    remedy: remedy('rollouts.cutOff = "off".'),
    severity: 'error',
  };
};

export const spareSampler: Check = ({ rollouts: { spare, sampler } }) => {
  if (spare === 0 || sampler.kind === 'uniform') return null;
  return {
    fields: ['rollouts.spare', 'rollouts.sampler.kind'],
    message: l10n.t(
      'Sampler “{0}” draws by what was measured, and a task that falls out is not: it would be drawn again and again.',
      sampler.kind,
    ),
    remedy: remedy('rollouts.sampler.kind = "uniform".'),
    severity: 'error',
  };
};

/** The controller follows p̂ of fast families alone. */
export const spareUnderControl: Check = ({ curriculum: { control }, mode, rollouts: { spare } }) => {
  if (spare === 0 || mode !== 'coevolve' || (control.kind !== 'success' && control.kind !== 'learnability'))
    return null;
  return {
    fields: ['rollouts.spare', 'curriculum.control.kind'],
    message: l10n.t(
      'Controller "{0}" follows the success rates of the families that are complete first, which are those answered fast.',
      control.kind,
    ),
    remedy: remedy(l10n.t('let controller "gain" follow validation.')),
    severity: 'warning',
  };
};
