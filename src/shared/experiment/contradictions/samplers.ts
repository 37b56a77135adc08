/** How given tasks are drawn against what there is to draw. */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../schema.ts';
import type { Check } from './contradiction.ts';

/** The sampler in force; null for `uniform`, which chooses nothing. */
const chosen = ({ rollouts }: Experiment): string | null =>
  rollouts.sampler.kind === 'uniform' ? null : rollouts.sampler.kind;

export const samplerOfRelease: Check = (experiment) => {
  const kind = chosen(experiment);
  if (kind === null || experiment.mode !== 'release') return null;
  return {
    fields: ['rollouts.sampler.kind', 'mode'],
    message: l10n.t('Mode “release” draws its originals by chance alone: sampler “{0}” is not asked.', kind),
    remedy: l10n.t('Set rollouts.sampler.kind to "uniform", or choose another mode.'),
    severity: 'error',
  };
};

export const nothingToDraw: Check = (experiment) => {
  const kind = chosen(experiment);
  const { mode, generation, rollouts } = experiment;
  if (kind === null || (mode !== 'coevolve' && mode !== 'random')) return null;
  if (rollouts.baseShare > 0 || rollouts.poolShare > 0 || generation.editShare > 0) return null;
  return {
    fields: ['rollouts.poolShare', 'rollouts.baseShare', 'rollouts.sampler.kind'],
    message: l10n.t(
      'Sampler “{0}” draws given tasks, but the batch has none: all of it is written anew, up to what fails.',
      kind,
    ),
    remedy: l10n.t('Raise rollouts.poolShare or rollouts.baseShare, or set rollouts.sampler.kind to "uniform".'),
    severity: 'warning',
  };
};

export const everythingDrawn: Check = (experiment) => {
  const kind = chosen(experiment);
  const { mode, generation } = experiment;
  if (kind === null || mode !== 'static' || generation.staticFamilies > generation.families) return null;
  return {
    fields: ['generation.families', 'generation.staticFamilies', 'rollouts.sampler.kind'],
    message: l10n.t(
      'Every epoch takes all {0} families that were written: sampler “{1}” has nothing to choose.',
      generation.staticFamilies,
      kind,
    ),
    remedy: l10n.t('Lower generation.families, or write more families (generation.staticFamilies).'),
    severity: 'warning',
  };
};

export const editedByChance: Check = (experiment) => {
  const { mode, generation } = experiment;
  if (generation.editShare === 0 || (mode !== 'coevolve' && mode !== 'random') || chosen(experiment) !== null)
    return null;
  return {
    fields: ['generation.editShare', 'rollouts.sampler.kind'],
    message: l10n.t('Tasks to edit are drawn by a sampler’s scores, and sampler “uniform” keeps none.'),
    remedy: l10n.t('Set rollouts.sampler.kind to "plr" or "band", or generation.editShare to 0.'),
    severity: 'error',
  };
};
