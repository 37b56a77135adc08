/** An evaluation's description and progress, in words. */
import * as l10n from '@vscode/l10n';
import type { EvaluationState } from '../../src/features/evaluation/contract.ts';
import { moment } from '../../src/shared/text/figures/moments.ts';
import { count, measure } from '../../src/shared/text/figures/numbers.ts';

export function settingsText(state: EvaluationState): string {
  const { policy, splits, sample, seed, tasks, attempts, temperature, maxTokens, begun } = state;
  return [
    l10n.t('answers of {0}', policy.source),
    splits.length === 1 ? l10n.t('split {0}', splits.join()) : l10n.t('splits {0}', splits.join(', ')),
    sample === null ? l10n.t('{0} tasks', count(tasks)) : l10n.t('{0} tasks, drawn by seed {1}', count(tasks), seed),
    attempts === 1 ? l10n.t('1 attempt each') : l10n.t('{0} attempts each', count(attempts)),
    temperature === 0 ? l10n.t('greedy') : l10n.t('temperature {0}', measure(temperature)),
    l10n.t('at most {0} tokens an answer', count(maxTokens)),
    moment(begun),
  ].join(' · ');
}

export function stateText(state: EvaluationState): string {
  const { answered, asked, running, errors, canContinue, finished, unanswered, cutOff, maxTokens } = state;
  const cut = l10n.t('{0} of {1} answers were cut off at {2} tokens', count(cutOff), count(answered), count(maxTokens));
  const faults = [
    ...(errors === 0 ? [] : [l10n.t('{0} could not be judged, and count as wrong', count(errors))]),
    ...(cutOff === 0 ? [] : [cut]),
  ];
  if (answered >= asked) return [l10n.t('All {0} attempts are there', count(asked)), ...faults].join(' · ');
  const missing = l10n.t('{0} of {1} attempts are there', count(answered), count(asked));
  if (running) return missing;
  const why = finished
    ? l10n.t('the others were not answered, and count as wrong')
    : canContinue
      ? l10n.t('it was interrupted: its answers are kept')
      : l10n.t('it did not finish');
  const causes = unanswered.map(({ cause, count: times }) => l10n.t('{0} ({1})', cause, count(times)));
  return [missing, why, ...causes, ...faults].join(' · ');
}
