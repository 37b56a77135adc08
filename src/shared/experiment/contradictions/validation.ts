/** Checks of validation against the settings that depend on it. */
import type { Check } from './contradiction.ts';

export const stopWithoutValidation: Check = ({ earlyStop, validation }) => {
  if (earlyStop === null || validation.every > 0) return null;
  return {
    fields: ['earlyStop', 'validation.every'],
    message: 'earlyStop waits for validations, but validation.every = 0 makes none.',
    remedy: 'Raise validation.every, or set earlyStop to null.',
    severity: 'error',
  };
};

export const lateStop: Check = ({ earlyStop, validation, epochs }) => {
  if (earlyStop === null || validation.every === 0) return null;
  const earliest = earlyStop.patience * validation.every;
  if (earliest < epochs) return null;
  return {
    fields: ['earlyStop.patience', 'validation.every', 'epochs'],
    message: `earlyStop needs ${earlyStop.patience} validations, one every ${validation.every} epochs: not before the run ends.`,
    remedy: 'Lower earlyStop.patience, or validate more often.',
    severity: 'warning',
  };
};

export const repeatedGreedy: Check = ({ validation }) => {
  if (validation.every === 0 || validation.temperature > 0 || validation.rollouts === 1) return null;
  return {
    fields: ['validation.rollouts', 'validation.temperature'],
    message: `Greedy validation (temperature 0) gives the same answer ${validation.rollouts} times.`,
    remedy: 'Set validation.rollouts to 1 or validation.temperature above 0.',
    severity: 'warning',
  };
};
