/** The controller of α against what it needs to see, and against others that move α. */
import * as l10n from '@vscode/l10n';
import { emptyBand } from '../band.ts';
import type { Check } from '../contradiction.ts';

export const controlledCourse: Check = ({ curriculum: { alphaPoints, control } }) => {
  if (control.kind === 'off' || alphaPoints === null) return null;
  return {
    fields: ['curriculum.control.kind', 'curriculum.alphaPoints'],
    message: l10n.t('α has a course and a controller: each would move it.'),
    remedy: l10n.t('Set curriculum.control.kind to "off", or curriculum.alphaPoints to null.'),
    severity: 'error',
  };
};

export const controlOutOfBounds: Check = ({ curriculum: { alpha, control } }) => {
  const { kind, low, high, step } = control;
  if (kind === 'off') return null;
  if (alpha < low || alpha > high)
    return {
      fields: ['curriculum.control.low', 'curriculum.control.high', 'curriculum.alpha'],
      message: l10n.t('The controller keeps α between {0} and {1}, and starts it at {2}.', low, high, alpha),
      remedy: l10n.t('Set curriculum.control.low and curriculum.control.high on both sides of curriculum.alpha.'),
      severity: 'error',
    };
  if (step <= high - low) return null;
  return {
    fields: ['curriculum.control.step'],
    message: l10n.t('A step of {0} is wider than what the controller may use: {1} to {2}.', step, low, high),
    remedy: l10n.t('Set a smaller curriculum.control.step.'),
    severity: 'error',
  };
};

export const controlWithoutValidation: Check = ({ curriculum: { control }, validation }) => {
  if (control.kind !== 'gain' || (validation.every > 0 && control.every % validation.every === 0)) return null;
  return {
    fields: ['curriculum.control.every', 'validation.every'],
    message:
      validation.every === 0
        ? l10n.t('Controller “gain” compares validations, and validation.every is 0.')
        : l10n.t(
            'Controller “gain” needs a validation at the end of each {0} epochs; validation.every is {1}.',
            control.every,
            validation.every,
          ),
    remedy: l10n.t('Set validation.every to a divisor of curriculum.control.every, or choose another controller.'),
    severity: 'error',
  };
};

export const controlBeyondRun: Check = ({ curriculum: { control }, epochs }) => {
  const windows = control.kind === 'success' ? 1 : 2;
  if (control.kind === 'off' || epochs > windows * control.every) return null;
  return {
    fields: ['curriculum.control.every', 'epochs'],
    message: l10n.t(
      'The controller of α compares windows of {0} epochs, and the run ends with epoch {1}: it decides nothing by what it saw.',
      control.every,
      epochs,
    ),
    remedy: l10n.t('Set a smaller curriculum.control.every, or more than {0} epochs.', windows * control.every),
    severity: 'warning',
  };
};

export const controlledBlind: Check = ({ curriculum: { control }, rollouts: { staleness } }) => {
  if (control.kind === 'off' || staleness === 0) return null;
  return {
    fields: ['curriculum.control.kind', 'rollouts.staleness'],
    message: l10n.t(
      'The controller chooses α by the newest epoch, and an epoch that is sampled early does not have it.',
    ),
    remedy: l10n.t('Set rollouts.staleness to 0, or curriculum.control.kind to "off".'),
    severity: 'error',
  };
};

export const emptyBandOfControl: Check = (experiment) => {
  const { control } = experiment.curriculum;
  if (control.kind === 'off') return null;
  for (const side of ['low', 'high'] as const) {
    const found = emptyBand({ ...experiment, curriculum: { ...experiment.curriculum, alpha: control[side] } });
    if (found !== null) return { ...found, fields: [`curriculum.control.${side}`, ...found.fields] };
  }
  return null;
};
