/** α’s course against the run and the band. */
import { emptyBand } from '../band.ts';
import type { Check } from '../contradiction.ts';

export const courseOutOfOrder: Check = ({ curriculum: { alphaPoints } }) => {
  const wrong = alphaPoints?.find((point, i) => i > 0 && point.epoch <= (alphaPoints[i - 1]?.epoch ?? 0));
  if (wrong === undefined) return null;
  return {
    fields: ['curriculum.alphaPoints'],
    message: `The course of α goes back in time: its point at epoch ${wrong.epoch} follows one that is not earlier.`,
    remedy: 'Put the points in the order of their epochs, each epoch once.',
    severity: 'error',
  };
};

export const courseBeyondRun: Check = ({ curriculum: { alphaPoints }, epochs }) => {
  const late = alphaPoints?.find(({ epoch }) => epoch > epochs);
  if (late === undefined) return null;
  return {
    fields: ['curriculum.alphaPoints', 'epochs'],
    message: `The course of α has a point at epoch ${late.epoch}, and the run has ${epochs} epochs.`,
    remedy: 'Move the point into the run, or raise epochs.',
    severity: 'warning',
  };
};

export const emptyBandOfCourse: Check = (experiment) => {
  for (const { alpha } of experiment.curriculum.alphaPoints ?? []) {
    const found = emptyBand({ ...experiment, curriculum: { ...experiment.curriculum, alpha } });
    if (found !== null) return { ...found, fields: ['curriculum.alphaPoints', ...found.fields] };
  }
  return null;
};
