/** Whether the environment's update has families to learn from and weights that differ. */
import * as l10n from '@vscode/l10n';
import type { Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

export const epochScope: Check = ({ mode, curriculum, environment }) => {
  // Of GRPO it is an error (updates.ts).
  if (!trainsEnvironment({ mode, environment }) || environment.update === 'grpo') return null;
  if (curriculum.scope !== 'epoch') return null;
  const whole = curriculum.filter === 'hard' ? l10n.t(', and the filter keeps or drops the whole epoch') : '';
  return {
    fields: ['curriculum.scope'],
    message: l10n.t(
      'With scope "epoch" all tasks share one p̂: their weights{0} are equal{1}.',
      environment.update === 'rwr' ? ' exp(λR_env)' : '',
      whole,
    ),
    remedy: l10n.t('Use scope "family", so that the weights have something to rank.'),
    severity: 'warning',
  };
};

export const noTemperature: Check = ({ mode, curriculum, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || environment.update !== 'rwr' || curriculum.lambda > 0) return null;
  return {
    fields: ['curriculum.lambda'],
    message: l10n.t('With λ = 0 all weights exp(λR_env) are equal: R_env ranks nothing.'),
    remedy: l10n.t('Raise λ (paper: 1).'),
    severity: 'warning',
  };
};

export const longBuffer: Check = ({ mode, environment, epochs }) => {
  if (!trainsEnvironment({ mode, environment }) || environment.update === 'grpo') return null;
  if (environment.bufferEpochs <= epochs) return null;
  return {
    fields: ['environment.bufferEpochs', 'epochs'],
    message: l10n.t("The environment's buffer spans {0} epochs, the run has {1}.", environment.bufferEpochs, epochs),
    remedy: l10n.t('Lower environment.bufferEpochs or raise epochs.'),
    severity: 'warning',
  };
};

export const neverEnoughFamilies: Check = ({ mode, environment, generation }) => {
  const most = generation.families * (environment.update === 'grpo' ? 1 : environment.bufferEpochs);
  if (!trainsEnvironment({ mode, environment }) || environment.minFamilies <= most) return null;
  return {
    fields: ['environment.minFamilies', 'generation.families', 'environment.bufferEpochs'],
    message: l10n.t(
      'An environment update needs {0} kept families, but there are never more than {1}.',
      environment.minFamilies,
      most,
    ),
    remedy: l10n.t('Lower environment.minFamilies or raise generation.families.'),
    severity: 'error',
  };
};
