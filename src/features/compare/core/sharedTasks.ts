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
  const before = new Map(first.tasks.map(({ key }, i) => [key, first.outcomes[i]]));
  const shared = second.tasks.flatMap(({ id, key }, i) => {
    const [was, is] = [before.get(key), second.outcomes[i]];
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
