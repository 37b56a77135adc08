/**
 * A run whose epochs are judged otherwise from then on, as a branch with another reward, forgets what the judge before measured:
 * success rates of two judges are no progress, no order among tasks, and no weights of one update.
 */
import { measureChange } from '../../shared/journal/measures.ts';
import type { FamilyScore } from '../../shared/journal/events.ts';
import type { Seen } from './seen.ts';

interface Forgotten {
  scores: Map<number, never>;
  seedRates?: Map<string, never>;
  seen?: Map<string, Seen>;
}

/** @param between whether no epoch is under way: a curriculum that is corrected within its epoch keeps the buffer's rewards */
export function measuredAnew(
  seen: ReadonlyMap<string, Seen>,
  changes: readonly { field: string; epoch: number }[],
  between: boolean,
): Forgotten | null {
  if (measureChange('attempts', changes) !== null) {
    // Which tasks are in the pool, and how often each was drawn, does not depend on the judge.
    const known = [...seen].map(([id, one]): [string, Seen] => [id, { ...one, p: null, spread: null }]);
    return { scores: new Map<number, never>(), seedRates: new Map<string, never>(), seen: new Map(known) };
  }
  return between && changes.some(({ field }) => field === 'curriculum.reward.file')
    ? { scores: new Map<number, never>() }
    : null;
}

/** Scores under another kind of reward than a branch's: the counts hold, and what that kind measured beside them means nothing here. */
export const withoutSignals = (
  scores: ReadonlyMap<number, readonly FamilyScore[]>,
): ReadonlyMap<number, readonly FamilyScore[]> =>
  new Map(
    [...scores].map(([epoch, families]) => [
      epoch,
      families.map((family) => ({ ...family, tasks: family.tasks.map(countsOf) })),
    ]),
  );

function countsOf(task: FamilyScore['tasks'][number]): FamilyScore['tasks'][number] {
  const { signal: left, ...counts } = task;
  return left === undefined ? task : counts;
}
