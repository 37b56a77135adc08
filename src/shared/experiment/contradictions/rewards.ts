/** The kind of the environment's reward against the settings that it depends on. */
import type { Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

export const stepBehindFilter: Check = ({ mode, curriculum: { reward, filter }, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || reward.kind !== 'step' || filter !== 'hard') return null;
  return {
    fields: ['curriculum.filter', 'curriculum.reward.kind'],
    message: 'The hard filter keeps what is in the band, where reward “step” is always 1: all weights are equal.',
    remedy: 'Set curriculum.filter to "off", so that the reward tells the band from the rest.',
    severity: 'warning',
  };
};

export const rewardWithoutFile: Check = ({ curriculum: { reward } }) => {
  if (reward.kind !== 'file' || reward.file !== null) return null;
  return {
    fields: ['curriculum.reward.file', 'curriculum.reward.kind'],
    message: 'Reward “file” has no file to ask: curriculum.reward.file names none.',
    remedy: 'Name a *.curriculum.ts, .js or .py there (GenEnv: New Curriculum…), or choose another reward.',
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
    message: `Reward “${reward.kind}” is about 0 to ${most}: with λ = ${lambda} weights differ at most ${Math.exp(lambda * most).toFixed(2)}-fold.`,
    remedy: `Raise λ: what is 3 for the kernel is ${3 / most} here.`,
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
    message:
      `Reward “progress” compares a family with its seed’s last one, but each of ${domain.baseTasks} seeds is written ` +
      `about ${Number(visits.toFixed(1))} times in ${epochs} epochs: most families have nothing to be compared with.`,
    remedy: `Lower domain.baseTasks to ${Math.max(1, Math.floor((generation.families * epochs) / 3))} or less, or train for more epochs.`,
    severity: 'warning',
  };
};
