import type { EventOf } from '../../../shared/journal/events.ts';
import type { Rejection, Task } from '../../../shared/records/task.ts';
import { mean } from '../../loop.ts';
import { writtenTokens } from './textTokens.ts';

/** Outcomes of an epoch's texts, or of those of one domain. */
export function countsOf(
  families: number,
  tasks: readonly Task[],
): Pick<EventOf<'tasks.generated'>, 'families' | 'written' | 'accepted' | 'rejected' | 'taskLength'> {
  const rejected: Partial<Record<Rejection, number>> = {};
  for (const { cause } of tasks) if (cause !== undefined) rejected[cause] = (rejected[cause] ?? 0) + 1;
  const accepted = tasks.filter(({ status }) => status === 'accepted');
  return {
    ...{ families, written: tasks.length, accepted: accepted.length },
    rejected: Object.fromEntries(Object.entries(rejected).sort(([a], [b]) => a.localeCompare(b))),
    taskLength: mean(accepted.flatMap(({ generation }) => (generation ? [writtenTokens(generation)] : []))),
  };
}
