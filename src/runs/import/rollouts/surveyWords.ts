import * as l10n from '@vscode/l10n';
import type { Survey } from './survey.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** The survey in lines for people: the total first, then surprises, then omissions with their reasons. */
export function surveyLines({ format, rollouts, tasks, steps, solved, unjudged, cut, leftOut }: Survey): string[] {
  const named = steps.filter((step) => step !== null);
  const over =
    named.length === 0
      ? ''
      : named.length === 1
        ? l10n.t(' over 1 step')
        : l10n.t(' over {0} steps', count(named.length));
  return [
    l10n.t(
      '{0} at {1}{2} ({3}), {4} solved.',
      rollouts === 1 ? l10n.t('1 attempt') : l10n.t('{0} attempts', count(rollouts)),
      tasks === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count(tasks)),
      over,
      format,
      count(solved),
    ),
    ...(unjudged === 0 ? [] : [l10n.t('{0} without a verdict: they count in no p̂.', count(unjudged))]),
    ...(cut === 0
      ? []
      : [l10n.t('{0} with a reward outside 0…1: it is cut, and stands as written among its parts.', count(cut))]),
    ...leftOut.map(({ why, count: left, examples }) =>
      l10n.t('{0} left out: {1} ({2})', count(left), why, examples.join(', ')),
    ),
  ];
}
