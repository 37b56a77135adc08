/** Checks of the kind of the environment's update against its data. */
import * as l10n from '@vscode/l10n';
import { trainsEnvironment } from '../trains.ts';
import type { Check } from './contradiction.ts';

export const nothingToCompare: Check = (experiment) => {
  const { environment, curriculum, generation } = experiment;
  if (!trainsEnvironment(experiment) || environment.update !== 'grpo') return null;
  const { variations, perSeed } = generation;
  if (variations * perSeed < 2) {
    return {
      fields: ['generation.variations', 'generation.perSeed', 'environment.update'],
      message: l10n.t(
        'GRPO compares texts that were written from one context, and each has one text: no advantage is ever measured.',
      ),
      remedy: l10n.t(
        'Write several variations (generation.variations), or several families of a seed (generation.perSeed).',
      ),
      severity: 'error',
    };
  }
  if (curriculum.scope === 'task' || (curriculum.scope === 'family' && perSeed > 1)) return null;
  return {
    fields: ['curriculum.scope', 'generation.perSeed', 'environment.update'],
    message: l10n.t(
      'With scope "{0}" all texts of one context share one R_env: GRPO has nothing to compare.',
      curriculum.scope,
    ),
    remedy: l10n.t(
      'Set curriculum.scope to "task"; with scope "family" write several families of each seed (generation.perSeed).',
    ),
    severity: 'error',
  };
};

export const comparedInBand: Check = (experiment) => {
  const { environment, curriculum } = experiment;
  if (!trainsEnvironment(experiment) || environment.update !== 'grpo' || curriculum.filter === 'off') return null;
  return {
    fields: ['curriculum.filter', 'environment.update'],
    message: l10n.t(
      'GRPO learns from bad texts as from good ones, but the filter leaves out what lies outside the band.',
    ),
    remedy: l10n.t('Set curriculum.filter to "off".'),
    severity: 'warning',
  };
};

export const comparedByJobs: Check = (experiment) => {
  const { environment, endpoints } = experiment;
  if (!trainsEnvironment(experiment) || environment.update !== 'grpo' || endpoints.environment.kind !== 'verl')
    return null;
  return {
    fields: ['environment.update', 'endpoints.environment.kind'],
    message: l10n.t('A job of verl trains the environment on rows, all alike: it has no advantages, which GRPO needs.'),
    remedy: l10n.t('Choose update "rwr" or "rejection", or an endpoint that trains step by step.'),
    severity: 'error',
  };
};

export const untrainedCoevolution: Check = ({ mode, environment }) => {
  if (mode !== 'coevolve' || environment.update !== 'none') return null;
  return {
    fields: ['environment.update', 'mode'],
    message: l10n.t('With environment.update "none" the environment stays as it is: the run is one of mode "random".'),
    remedy: l10n.t('Set mode to "random", which says so, or choose another update.'),
    severity: 'warning',
  };
};
