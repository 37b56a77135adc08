/** α’s course against the run and the band. */
import * as l10n from '@vscode/l10n';
import { emptyBand } from '../band.ts';
import type { Check } from '../contradiction.ts';

export const courseOutOfOrder: Check = ({ curriculum: { alphaPoints } }) => {
  const wrong = alphaPoints?.find((point, i) => i > 0 && point.epoch <= (alphaPoints[i - 1]?.epoch ?? 0));
  if (wrong === undefined) return null;
  return {
    fields: ['curriculum.alphaPoints'],
    message: l10n.t(
      'The course of α goes back in time: its point at epoch {0} follows one that is not earlier.',
      wrong.epoch,
    ),
    remedy: l10n.t('Put the points in the order of their epochs, each epoch once.'),
    severity: 'error',
  };
};

export const courseBeyondRun: Check = ({ curriculum: { alphaPoints }, epochs }) => {
  const late = alphaPoints?.find(({ epoch }) => epoch > epochs);
  if (late === undefined) return null;
  return {
    fields: ['curriculum.alphaPoints', 'epochs'],
    message: l10n.t('The course of α has a point at epoch {0}, and the run has {1} epochs.', late.epoch, epochs),
    remedy: l10n.t('Move the point into the run, or raise epochs.'),
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
