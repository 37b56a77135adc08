/** Settings under which more than its place in the band hangs on a family's attempts, so that none can be cut off. */
import { trainsEnvironment } from '../../trains.ts';
import type { Contradiction } from '../contradiction.ts';
import type { Experiment } from '../../schema.ts';

const applies = (experiment: Experiment): boolean =>
  experiment.rollouts.cutOff !== 'off' && experiment.mode === 'coevolve' && trainsEnvironment(experiment);

export function cutOffBesideFilter(experiment: Experiment): Contradiction | null {
  const { curriculum, environment } = experiment;
  if (!applies(experiment)) return null;
  const remedy = 'Set rollouts.cutOff to "off", or';
  if (curriculum.filter !== 'hard') {
    return {
      fields: ['rollouts.cutOff', 'curriculum.filter'],
      message: `With filter "${curriculum.filter}" families outside the band teach too, so that none is cut off.`,
      remedy: `${remedy} curriculum.filter to "hard".`,
      severity: 'error',
    };
  }
  if (curriculum.scope !== 'family') {
    return {
      fields: ['rollouts.cutOff', 'curriculum.scope'],
      message: `With scope "${curriculum.scope}" a family's attempts do not decide for that family, so that none is cut off.`,
      remedy: `${remedy} curriculum.scope to "family".`,
      severity: 'error',
    };
  }
  if (environment.update !== 'grpo') return null;
  return {
    fields: ['rollouts.cutOff', 'environment.update'],
    message: 'GRPO learns from the R_env of families outside the band too, so that none is cut off.',
    remedy: `${remedy} environment.update to "rwr".`,
    severity: 'error',
  };
}

/** The controller follows a mean over all attempts, of which those outside the band are fewer. */
export function cutOffUnderControl(experiment: Experiment): Contradiction | null {
  const { kind } = experiment.curriculum.control;
  if (!applies(experiment) || (kind !== 'success' && kind !== 'learnability')) return null;
  return {
    fields: ['rollouts.cutOff', 'curriculum.control.kind'],
    message: `Controller "${kind}" follows the success rates of families, and those cut off have it measured on their first attempts alone.`,
    remedy: 'Set rollouts.cutOff to "off", or let controller "gain" follow validation.',
    severity: 'warning',
  };
}
