/** Attempts that say the same are one answer. */
import type { ShownAttempt } from '../../src/features/attempts/contract.ts';

/** Equal attempts; the first stands for all. */
export interface AnswerGroup {
  shown: ShownAttempt;
  names: readonly string[];
}

/** The most frequent answer first; those of equal number in the order they were made. */
export function groupsOf(attempts: readonly ShownAttempt[]): AnswerGroup[] {
  const groups = Map.groupBy(attempts, answerOf);
  return [...groups.values()]
    .flatMap((equal) => {
      const [shown] = equal;
      return shown === undefined ? [] : [{ shown, names: equal.map(({ name }) => name) }];
    })
    .sort((a, b) => b.names.length - a.names.length);
}

export const eachAlone = (attempts: readonly ShownAttempt[]): AnswerGroup[] =>
  attempts.map((shown) => ({ shown, names: [shown.name] }));

/** Everything that was said, and how it was judged. */
const answerOf = ({ turns, branches, verdict, note, reward, rescored, stopReason }: ShownAttempt): string =>
  JSON.stringify([turns, branches, verdict, note, reward, rescored, stopReason]);
