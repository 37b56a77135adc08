/** Settings under which more than its place in the band hangs on a family's attempts, so that none can be cut off. */
import * as l10n from '@vscode/l10n';
import { trainsEnvironment } from '../../trains.ts';
import type { Contradiction } from '../contradiction.ts';
import type { Experiment } from '../../schema.ts';

const applies = (experiment: Experiment): boolean =>
  experiment.rollouts.cutOff !== 'off' && experiment.mode === 'coevolve' && trainsEnvironment(experiment);

export function cutOffBesideFilter(experiment: Experiment): Contradiction | null {
  const { curriculum, environment } = experiment;
  if (!applies(experiment)) return null;
  const remedy = (field: string, value: string): string =>
    l10n.t('Set rollouts.cutOff to "off", or {0} to "{1}".', field, value);
  if (curriculum.filter !== 'hard') {
    return {
      fields: ['rollouts.cutOff', 'curriculum.filter'],
      message: l10n.t(
        'With filter "{0}" families outside the band teach too, so that none is cut off.',
        curriculum.filter,
      ),
      remedy: remedy('curriculum.filter', 'hard'),
      severity: 'error',
    };
  }
  if (curriculum.scope !== 'family') {
    return {
      fields: ['rollouts.cutOff', 'curriculum.scope'],
      message: l10n.t(
        'With scope "{0}" a family’s attempts do not decide for that family, so that none is cut off.',
        curriculum.scope,
      ),
      remedy: remedy('curriculum.scope', 'family'),
      severity: 'error',
    };
  }
  if (environment.update !== 'grpo') return null;
  return {
    fields: ['rollouts.cutOff', 'environment.update'],
    message: l10n.t('GRPO learns from the R_env of families outside the band too, so that none is cut off.'),
    remedy: remedy('environment.update', 'rwr'),
    severity: 'error',
  };
}

/** The controller follows a mean over all attempts, of which those outside the band are fewer. */
export function cutOffUnderControl(experiment: Experiment): Contradiction | null {
  const { kind } = experiment.curriculum.control;
  if (!applies(experiment) || (kind !== 'success' && kind !== 'learnability')) return null;
  return {
    fields: ['rollouts.cutOff', 'curriculum.control.kind'],
    message: l10n.t(
      'Controller "{0}" follows the success rates of families, and those cut off have it measured on their first attempts alone.',
      kind,
    ),
    remedy: l10n.t('Set rollouts.cutOff to "off", or let controller "gain" follow validation.'),
    severity: 'warning',
  };
}
