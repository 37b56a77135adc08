/** Settings under which a group cannot count in the epoch after its own, or none does. */
import * as l10n from '@vscode/l10n';
import { trainsEnvironment } from '../../trains.ts';
import type { Experiment } from '../../schema.ts';
import type { Check } from '../contradiction.ts';

const isLate = ({ rollouts: { late, staleness } }: Experiment): boolean => late > 0 && staleness > 0;

const remedy = (other: string): string => l10n.t('Set rollouts.late to 0, or {0}', other);

export const lateBesideSpare: Check = (experiment) => {
  const { spare } = experiment.rollouts;
  if (!isLate(experiment) || spare === 0) return null;
  return {
    fields: ['rollouts.late', 'rollouts.spare'],
    message: l10n.t('With rollouts.spare = {0} groups that are not complete in time fall out: none is late.', spare),
    remedy: remedy('rollouts.spare = 0.'),
    severity: 'error',
  };
};

export const lateBesideCutOff: Check = (experiment) => {
  const { mode, rollouts } = experiment;
  const cuts = rollouts.cutOff !== 'off' && mode === 'coevolve' && trainsEnvironment(experiment);
  if (!isLate(experiment) || !cuts) return null;
  return {
    fields: ['rollouts.late', 'rollouts.cutOff'],
    message: l10n.t('Families that are cut off are complete sooner, so those inside the band would be the late ones.'),
    remedy: remedy('rollouts.cutOff = "off".'),
    severity: 'error',
  };
};

export const lateProgress: Check = (experiment) => {
  const { kind } = experiment.curriculum.reward;
  if (!isLate(experiment) || kind !== 'progress' || !trainsEnvironment(experiment)) return null;
  return {
    fields: ['rollouts.late', 'curriculum.reward.kind'],
    message: l10n.t('Reward “progress” compares versions of the agent, and late families are of an older one.'),
    remedy: remedy(l10n.t('choose another reward.')),
    severity: 'error',
  };
};
