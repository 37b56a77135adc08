/** The controller of α against what it needs to see, and against others that move α. */
import { emptyBand } from '../band.ts';
import type { Check } from '../contradiction.ts';

export const controlledCourse: Check = ({ curriculum: { alphaPoints, control } }) => {
  if (control.kind === 'off' || alphaPoints === null) return null;
  return {
    fields: ['curriculum.control.kind', 'curriculum.alphaPoints'],
    message: 'α has a course and a controller: each would move it.',
    remedy: 'Set curriculum.control.kind to "off", or curriculum.alphaPoints to null.',
    severity: 'error',
  };
};

export const controlOutOfBounds: Check = ({ curriculum: { alpha, control } }) => {
  const { kind, low, high, step } = control;
  if (kind === 'off') return null;
  if (alpha < low || alpha > high)
    return {
      fields: ['curriculum.control.low', 'curriculum.control.high', 'curriculum.alpha'],
      message: `The controller keeps α between ${low} and ${high}, and starts it at ${alpha}.`,
      remedy: 'Set curriculum.control.low and curriculum.control.high on both sides of curriculum.alpha.',
      severity: 'error',
    };
  if (step <= high - low) return null;
  return {
    fields: ['curriculum.control.step'],
    message: `A step of ${step} is wider than what the controller may use: ${low} to ${high}.`,
    remedy: 'Set a smaller curriculum.control.step.',
    severity: 'error',
  };
};

export const controlWithoutValidation: Check = ({ curriculum: { control }, validation }) => {
  if (control.kind !== 'gain' || (validation.every > 0 && control.every % validation.every === 0)) return null;
  return {
    fields: ['curriculum.control.every', 'validation.every'],
    message:
      validation.every === 0
        ? 'Controller “gain” compares validations, and validation.every is 0.'
        : `Controller “gain” needs a validation at the end of each ${control.every} epochs; validation.every is ${validation.every}.`,
    remedy: 'Set validation.every to a divisor of curriculum.control.every, or choose another controller.',
    severity: 'error',
  };
};

export const controlBeyondRun: Check = ({ curriculum: { control }, epochs }) => {
  const windows = control.kind === 'success' ? 1 : 2;
  if (control.kind === 'off' || epochs > windows * control.every) return null;
  return {
    fields: ['curriculum.control.every', 'epochs'],
    message: `The controller of α compares windows of ${control.every} epochs, and the run ends with epoch ${epochs}: it decides nothing by what it saw.`,
    remedy: `Set a smaller curriculum.control.every, or more than ${windows * control.every} epochs.`,
    severity: 'warning',
  };
};

export const controlledBlind: Check = ({ curriculum: { control }, rollouts: { staleness } }) => {
  if (control.kind === 'off' || staleness === 0) return null;
  return {
    fields: ['curriculum.control.kind', 'rollouts.staleness'],
    message: 'The controller chooses α by the newest epoch, and an epoch that is sampled early does not have it.',
    remedy: 'Set rollouts.staleness to 0, or curriculum.control.kind to "off".',
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
