import type { Survey } from './survey.ts';
import { englishCount, englishPlural } from '../../../shared/text/figures/englishFigures.ts';

/** The survey in lines for people: the total first, then surprises, then omissions with their reasons. */
export function surveyLines({ format, rollouts, tasks, steps, solved, unjudged, cut, leftOut }: Survey): string[] {
  const named = steps.filter((step) => step !== null);
  const over = named.length === 0 ? '' : ` over ${englishPlural(named.length, 'step')}`;
  return [
    `${englishPlural(rollouts, 'attempt')} at ${englishPlural(tasks, 'task')}${over} (${format}), ${englishCount(solved)} solved.`,
    ...(unjudged === 0 ? [] : [`${englishCount(unjudged)} without a verdict: they count in no p̂.`]),
    ...(cut === 0
      ? []
      : [`${englishCount(cut)} with a reward outside 0…1: it is cut, and stands as written among its parts.`]),
    ...leftOut.map(
      ({ why, count: left, examples }) => `${englishCount(left)} left out: ${why} (${examples.join(', ')})`,
    ),
  ];
}
