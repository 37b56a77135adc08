/** Two validations compared on their common tasks, in any order. */
import type { Tries } from '../../../engine/math/passAtK.ts';
import { pairedDifference, type PairedDifference } from '../../../engine/math/paired/proportions.ts';

/** One validation: which tasks, and the attempts at each. */
export interface Validated {
  tasks: readonly ValidationTask[];
  tries: readonly Tries[];
}

/** Equal keys are equal tasks, by the domain's fingerprint. */
export interface ValidationTask {
  id: string;
  key: string;
}

export interface SharedComparison {
  paired: PairedDifference;
  /** Tasks, by their id in the second, that one solved and the other did not; of several attempts, more often. */
  changed: { task: string; gained: boolean }[];
}

/** Null when the two share no task. */
export function compareShared(first: Validated, second: Validated): SharedComparison | null {
  const before = counterparts(first.tasks, second.tasks);
  const shared = second.tasks.flatMap(({ id }, i) => {
    const at = before[i];
    const [was, is] = [at === undefined ? at : first.tries[at], second.tries[i]];
    // A validation that was cut short says nothing of the rest.
    return was === undefined || is === undefined ? [] : [{ id, was, is }];
  });
  const paired = pairedDifference(
    shared.map(({ was }) => was),
    shared.map(({ is }) => is),
  );
  if (paired === null) return null;
  const changed = shared.flatMap(({ id, was, is }) => {
    const by = was.attempts === 0 || is.attempts === 0 ? 0 : is.successes / is.attempts - was.successes / was.attempts;
    return by === 0 ? [] : [{ task: id, gained: by > 0 }];
  });
  return { paired, changed };
}

/**
 * Of each task of the second, the index of the same task in the first, which no other one has. Tasks of one key may be
 * several, as signs are no words: of these equal ids belong together, the others in their order.
 */
function counterparts(first: readonly ValidationTask[], second: readonly ValidationTask[]): (number | undefined)[] {
  const waiting = new Map<string, { id: string; at: number }[]>();
  for (const [at, { id, key }] of first.entries()) waiting.set(key, [...(waiting.get(key) ?? []), { id, at }]);
  const take = (key: string, fits: (id: string) => boolean): number | undefined => {
    const some = waiting.get(key) ?? [];
    const at = some.findIndex(({ id }) => fits(id));
    return at < 0 ? undefined : some.splice(at, 1)[0]?.at;
  };
  const byId = second.map(({ id, key }) => take(key, (other) => other === id));
  return second.map(({ key }, i) => byId[i] ?? take(key, () => true));
}
