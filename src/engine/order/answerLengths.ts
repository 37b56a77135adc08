/** Mean answer lengths by base task, as the journal keeps them for `rollouts.order` "longest". */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Task } from '../../shared/records/task.ts';

/** Tokens by epoch, then by base task. */
export type AnswerLengths = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** How many epochs back an expectation looks. */
export const epochsLookedBack = 8;
/** Epochs whose lengths stay known: more than an epoch that is sampled early (`rollouts.staleness`) looks back. */
const epochsKept = 2 * epochsLookedBack;

/**
 * The base task that a task was written from, or the task itself: tasks of one are alike in length. The seed of a base task
 * is one of another run, which its file names.
 */
export const rootOf = ({ seed, id, origin }: Pick<Task, 'seed' | 'id' | 'origin'>): string =>
  origin === 'base' ? id : (seed ?? id);

/** With the lengths of one more round. */
export function withLengths(
  before: AnswerLengths,
  { epoch, lengths }: Pick<EventOf<'rollouts.finished'>, 'epoch' | 'lengths'>,
): AnswerLengths {
  if (lengths === undefined) return before;
  const kept = [...before].filter(([known]) => known > epoch - epochsKept);
  const own = new Map([
    ...(before.get(epoch) ?? []),
    ...lengths.map(({ seed, tokens }): [string, number] => [seed, tokens]),
  ]);
  return new Map([...kept, [epoch, own]]);
}
