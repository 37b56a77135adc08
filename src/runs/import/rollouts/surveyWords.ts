import type { Survey } from './survey.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** The survey in lines for people: the total first, then surprises, then omissions with their reasons. */
export function surveyLines({ format, rollouts, tasks, steps, solved, unjudged, cut, leftOut }: Survey): string[] {
  const named = steps.filter((step) => step !== null);
  const over = named.length === 0 ? '' : ` over ${plural(named.length, 'step')}`;
  return [
    `${plural(rollouts, 'attempt')} at ${plural(tasks, 'task')}${over} (${format}), ${count(solved)} solved.`,
    ...(unjudged === 0 ? [] : [`${count(unjudged)} without a verdict: they count in no p̂.`]),
    ...(cut === 0
      ? []
      : [`${count(cut)} with a reward outside 0…1: it is cut, and stands as written among its parts.`]),
    ...leftOut.map(({ why, count: left, examples }) => `${count(left)} left out: ${why} (${examples.join(', ')})`),
  ];
}
