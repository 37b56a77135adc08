/** An epoch's groups of attempts, by how much they can teach. */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Trace, Verdict } from '../../shared/records/trace.ts';
import { groupKind } from '../math/advantage.ts';
import type { Tries } from '../math/passAtK.ts';

/** Counts of all groups, and the judged traces of those whose rewards differ. */
export function sortGroups(groups: readonly { traces: readonly Trace[] }[]): {
  counts: EventOf<'agent.updated'>['groups'];
  teachable: readonly Trace[][];
} {
  const counts = { solved: 0, hopeless: 0, trained: 0, broken: 0 };
  const teachable: Trace[][] = [];
  for (const { traces } of groups) {
    const judged = traces.filter(({ verdict }) => verdict.error === undefined);
    if (judged.length < 2) {
      counts.broken += 1;
      continue;
    }
    const kind = groupKind(judged.map(({ verdict }) => verdict));
    counts[kind] += 1;
    if (kind === 'trained') teachable.push(judged);
  }
  return { counts, teachable };
}

/** k and n of some attempts. A checker that failed is neither success nor failure. */
export function triesOf(traces: readonly { verdict: Pick<Verdict, 'success' | 'error'> }[]): Tries {
  const judged = traces.filter(({ verdict }) => verdict.error === undefined);
  return { successes: judged.filter(({ verdict }) => verdict.success).length, attempts: judged.length };
}
