/** Checks of measurements while a run goes, on a benchmark and of versions against each other, against their requirements. */
import * as l10n from '@vscode/l10n';
import type { Check } from './contradiction.ts';

export const evaluationWithoutAdapter: Check = ({ evaluation }) => {
  if (evaluation.every === 0 || evaluation.adapter !== null) return null;
  return {
    fields: ['evaluation.adapter', 'evaluation.every'],
    message: l10n.t(
      'evaluation.every = {0} asks for evaluations, but evaluation.adapter names no benchmark.',
      evaluation.every,
    ),
    remedy: l10n.t('Name an adapter in evaluation.adapter, or set evaluation.every to 0.'),
    severity: 'error',
  };
};

export const unusedAdapter: Check = ({ evaluation }) => {
  if (evaluation.every > 0 || evaluation.adapter === null) return null;
  return {
    fields: ['evaluation.adapter', 'evaluation.every'],
    message: l10n.t('evaluation.adapter names a benchmark, but evaluation.every = 0 never evaluates on it.'),
    remedy: l10n.t('Raise evaluation.every, or take the adapter out.'),
    severity: 'warning',
  };
};

export const repeatedGreedyEvaluation: Check = ({ evaluation }) => {
  if (evaluation.every === 0 || evaluation.temperature > 0 || evaluation.attempts === 1) return null;
  return {
    fields: ['evaluation.attempts', 'evaluation.temperature'],
    message: l10n.t('Greedy evaluation (temperature 0) gives the same answer {0} times.', evaluation.attempts),
    remedy: l10n.t('Set evaluation.attempts to 1 or evaluation.temperature above 0.'),
    severity: 'warning',
  };
};

export const sameTasksCompared: Check = ({ crossPlay, mode }) => {
  if (crossPlay.every === 0 || (mode !== 'static' && mode !== 'offline')) return null;
  return {
    fields: ['crossPlay.every', 'mode'],
    message: l10n.t(
      'Mode “{0}” has the same tasks in every epoch, so there are no versions of tasks to compare (crossPlay.every).',
      mode,
    ),
    remedy: l10n.t('Set crossPlay.every to 0; validation shows what the agent learned.'),
    severity: 'error',
  };
};
