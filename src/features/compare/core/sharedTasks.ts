/** Two validations compared on their common tasks, in any order. */
import { pairedDifference, type PairedDifference } from '../../../engine/math/paired/proportions.ts';

/** One validation: which tasks, and one character a task, `1` solved. */
export interface Validated {
  tasks: readonly ValidationTask[];
  outcomes: string;
}

/** Equal keys are equal tasks, by the domain's fingerprint. */
export interface ValidationTask {
  id: string;
  key: string;
}

export interface SharedComparison {
  paired: PairedDifference;
  /** Tasks, by their id in the second, that one solved and the other did not. */
  changed: { task: string; gained: boolean }[];
}

/** Null when the two share no task. */
export function compareShared(first: Validated, second: Validated): SharedComparison | null {
  const before = counterparts(first.tasks, second.tasks);
  const shared = second.tasks.flatMap(({ id }, i) => {
    const at = before[i];
    const [was, is] = [at === undefined ? at : first.outcomes[at], second.outcomes[i]];
    // A validation that was cut short says nothing of the rest.
    return was === undefined || is === undefined ? [] : [{ id, was, is }];
  });
  const paired = pairedDifference(
    { outcomes: shared.map(({ was }) => was).join('') },
    { outcomes: shared.map(({ is }) => is).join('') },
  );
  if (paired === null) return null;
  const changed = shared
    .filter(({ was, is }) => was !== is && was !== '-' && is !== '-')
    .map(({ id, is }) => ({ task: id, gained: is === '1' }));
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
