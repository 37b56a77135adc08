/** The tasks of a measurement with their attempts, as paired comparisons read them. */
import type { EventOf } from '../../../shared/journal/events.ts';
import type { Tries } from '../passAtK.ts';

/** A validation, or its part of one domain. */
export type MeasuredTasks = Pick<EventOf<'validated'>, 'outcomes' | 'tries'> & {
  successRate: Pick<EventOf<'validated'>['successRate'], 'attempts'>;
};

/** Null where a journal of an older version tells of several attempts only whether most of them solved their task. */
export function taskTries({ outcomes, tries, successRate }: MeasuredTasks): readonly Tries[] | null {
  if (tries !== undefined) return tries.map(([successes, attempts]) => ({ successes, attempts }));
  const judged = outcomes.replaceAll('-', '').length;
  return successRate.attempts === judged ? outcomeTries(outcomes) : null;
}

/** Of one attempt a task: `1` solved, `-` not judged. */
export const outcomeTries = (outcomes: string): Tries[] =>
  outcomes.split('').map((one) => ({ successes: Number(one === '1'), attempts: Number(one !== '-') }));
