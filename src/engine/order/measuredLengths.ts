/** How long a round's answers were. */
import type { EventOf } from '../../shared/journal/events.ts';
import type { Group } from '../phases/attempts/attemptPlan.ts';
import { answerTokens } from '../phases/attempts/traceTokens.ts';
import { rootOf } from './answerLengths.ts';

/** Mean tokens of a round's answers by base task, in order of their names; none of one without any answer. */
export function lengthsOf(groups: readonly Group[]): NonNullable<EventOf<'rollouts.finished'>['lengths']> {
  const roots = [...Map.groupBy(groups, ({ task }) => rootOf(task))].sort(([a], [b]) => (a < b ? -1 : 1));
  return roots.flatMap(([seed, own]) => {
    const answers = own.flatMap(({ traces }) => traces).map(answerTokens);
    if (answers.length === 0) return [];
    return [{ seed, tokens: Math.round(answers.reduce((sum, tokens) => sum + tokens, 0) / answers.length) }];
  });
}
