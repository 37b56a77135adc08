/** The kind of the environment's reward against the settings that it depends on. */
import * as l10n from '@vscode/l10n';
import { figure, type Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';
import { fixed } from '../../text/figures/numbers.ts';

export const stepBehindFilter: Check = ({ mode, curriculum: { reward, filter }, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || reward.kind !== 'step' || filter !== 'hard') return null;
  return {
    fields: ['curriculum.filter', 'curriculum.reward.kind'],
    message: l10n.t(
      'The hard filter keeps what is in the band, where reward “step” is always 1: all weights are equal.',
    ),
    remedy: l10n.t('Set curriculum.filter to "off", so that the reward tells the band from the rest.'),
    severity: 'warning',
  };
};

export const rewardWithoutFile: Check = ({ curriculum: { reward } }) => {
  if (reward.kind !== 'file' || reward.file !== null) return null;
  return {
    fields: ['curriculum.reward.file', 'curriculum.reward.kind'],
    message: l10n.t('Reward “file” has no file to ask: curriculum.reward.file names none.'),
    remedy: l10n.t('Name a *.curriculum.ts, .js or .py there (GenEnv: New Curriculum…), or choose another reward.'),
    severity: 'error',
  };
};

export const flatReward: Check = ({ mode, curriculum: { reward, lambda }, environment }) => {
  const scale = { learnability: 0.25, 'learnability-unbiased': 0.25, advantage: 0.5 };
  const most = Object.entries(scale).find(([kind]) => kind === reward.kind)?.[1];
  if (
    !trainsEnvironment({ mode, environment }) ||
    environment.update !== 'rwr' ||
    most === undefined ||
    lambda === 0 ||
    lambda * most >= 0.5
  )
    return null;
  return {
    fields: ['curriculum.lambda', 'curriculum.reward.kind'],
    message: l10n.t(
      'Reward “{0}” is about 0 to {1}: with λ = {2} weights differ at most {3}-fold.',
      reward.kind,
      figure(most),
      lambda,
      fixed(Math.exp(lambda * most), 2),
    ),
    remedy: l10n.t('Raise λ: what is 3 for the kernel is {0} here.', 3 / most),
    severity: 'warning',
  };
};

export const rareProgress: Check = ({
  mode,
  curriculum: { reward },
  domain,
  domains,
  generation,
  epochs,
  environment,
}) => {
  if (!trainsEnvironment({ mode, environment }) || reward.kind !== 'progress' || domains !== undefined) return null;
  const visits = (generation.families * epochs) / domain.baseTasks;
  if (visits >= 3) return null;
  return {
    fields: ['domain.baseTasks', 'curriculum.reward.kind', 'epochs', 'generation.families'],
    message: l10n.t(
      'Reward “progress” compares a family with its seed’s last one, but each of {0} seeds is written about {1} times in {2} epochs: most families have nothing to be compared with.',
      domain.baseTasks,
      figure(Number(visits.toFixed(1))),
      epochs,
    ),
    remedy: l10n.t(
      'Lower domain.baseTasks to {0} or less, or train for more epochs.',
      Math.max(1, Math.floor((generation.families * epochs) / 3)),
    ),
    severity: 'warning',
  };
};
