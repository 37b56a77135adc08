/** Checks of validation against the settings that depend on it. */
import * as l10n from '@vscode/l10n';
import type { Check } from './contradiction.ts';

export const stopWithoutValidation: Check = ({ earlyStop, validation }) => {
  if (earlyStop === null || validation.every > 0) return null;
  return {
    fields: ['earlyStop', 'validation.every'],
    message: l10n.t('earlyStop waits for validations, but validation.every = 0 makes none.'),
    remedy: l10n.t('Raise validation.every, or set earlyStop to null.'),
    severity: 'error',
  };
};

export const lateStop: Check = ({ earlyStop, validation, epochs }) => {
  if (earlyStop === null || validation.every === 0) return null;
  const earliest = earlyStop.patience * validation.every;
  if (earliest < epochs) return null;
  return {
    fields: ['earlyStop.patience', 'validation.every', 'epochs'],
    message: l10n.t(
      'earlyStop needs {0} validations, one every {1} epochs: not before the run ends.',
      earlyStop.patience,
      validation.every,
    ),
    remedy: l10n.t('Lower earlyStop.patience, or validate more often.'),
    severity: 'warning',
  };
};

export const repeatedGreedy: Check = ({ validation }) => {
  if (validation.every === 0 || validation.temperature > 0 || validation.rollouts === 1) return null;
  return {
    fields: ['validation.rollouts', 'validation.temperature'],
    message: l10n.t('Greedy validation (temperature 0) gives the same answer {0} times.', validation.rollouts),
    remedy: l10n.t('Set validation.rollouts to 1 or validation.temperature above 0.'),
    severity: 'warning',
  };
};
