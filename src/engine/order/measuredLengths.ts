/** How long a round's answers were. */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Group } from '../phases/attempts/attemptPlan.ts';
import { meanAnswer } from '../phases/attempts/meanAnswer.ts';
import { rootOf } from './answerLengths.ts';

/** Mean tokens of a round's answers by base task, in order of their names; none of one without any answer. */
export function lengthsOf(groups: readonly Group[]): NonNullable<EventOf<'rollouts.finished'>['lengths']> {
  const roots = [...Map.groupBy(groups, ({ task }) => rootOf(task))].sort(([a], [b]) => (a < b ? -1 : 1));
  return roots.flatMap(([seed, own]) => {
    const tokens = meanAnswer(own.flatMap(({ traces }) => traces));
    return tokens === null ? [] : [{ seed, tokens: Math.round(tokens) }];
  });
}
