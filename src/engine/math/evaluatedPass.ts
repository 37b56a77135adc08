/** pass@k of an evaluation inside a run, as a benchmark's authors count: an unanswered or unjudged attempt is wrong. */
import type { EventOf } from '../../shared/journal/events.ts';
import type { PassAtK } from '../../shared/journal/scores.ts';
import { meanPassAtK } from './passAtK.ts';

type Evaluated = Pick<EventOf<'evaluated'>, 'tasks' | 'attempts' | 'pass' | 'judged' | 'outcomes'>;

export interface EvaluatedPass {
  pass: readonly PassAtK[];
  /** Attempts that were answered and judged, where some were not; null where all were. */
  answered: { attempts: number; successes: number } | null;
}

/**
 * Older versions left out unanswered attempts. With one attempt a task its outcome shows which were left out; with
 * more, nothing does, and their recorded figures stay.
 */
export function evaluatedPass({ tasks, attempts, pass, judged, outcomes }: Evaluated): EvaluatedPass {
  if (judged !== undefined) return { pass, answered: judged.attempts < tasks * attempts ? judged : null };
  const missing = outcomes.replaceAll(/[^-]/g, '').length;
  if (attempts > 1 || missing === 0) return { pass, answered: null };
  const tries = Array.from(outcomes, (one) => ({ attempts: 1, successes: Number(one === '1') }));
  const successes = tries.filter((one) => one.successes === 1).length;
  return { pass: [meanPassAtK(tries, 1)], answered: { attempts: tasks - missing, successes } };
}
