/** `show RUN`: groups that count one epoch later. */
import type { EventOf } from '../../shared/journal/events.ts';
import { sum } from '../../shared/sum.ts';
import { plural } from '../../shared/text/figures/numbers.ts';

/** Nothing of a run without any. */
export function lateLines(rounds: readonly EventOf<'rollouts.finished'>[]): string[] {
  const late = sum(rounds.map((round) => round.late?.length ?? 0));
  return late === 0 ? [] : [`late       ${plural(late, 'group')}, each counted one epoch after its own`];
}
