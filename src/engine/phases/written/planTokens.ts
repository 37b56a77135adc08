/** The tokens of plans that no text's own tokens contain. */
import type { EventOf } from '../../../shared/journal/events.ts';
import type { CompletionRecord } from '../../../shared/records/completionRecord.ts';
import type { Task } from '../../../shared/records/task.ts';
import { sum } from '../../../shared/sum.ts';
import { tryOf } from '../../order/textOrder.ts';
import { countOf } from '../../turn.ts';

/** A text holds its plan's ids; what a server only counts stands with the plan alone. */
export const planTokens = (plans: readonly CompletionRecord[], tasks: readonly Task[]): number =>
  sum([...plans.filter(({ counted }) => counted !== undefined), ...unused(withIds(plans), tasks)].map(tokensOf));

/** Plans that no text was written from; undefined for none. */
export function plansAlone(
  plans: readonly CompletionRecord[],
  tasks: readonly Task[],
): EventOf<'tasks.generated'>['plansAlone'] {
  const alone = unused(plans, tasks);
  return alone.length === 0 ? undefined : { plans: alone.length, tokens: sum(alone.map(tokensOf)) };
}

const withIds = (plans: readonly CompletionRecord[]): CompletionRecord[] =>
  plans.filter(({ counted }) => counted === undefined);

function unused(plans: readonly CompletionRecord[], tasks: readonly Task[]): CompletionRecord[] {
  const tries = new Set(tasks.map(({ id, family }) => `${family}/${tryOf(id)}`));
  return plans.filter(({ family, attempt }) => !tries.has(`${family}/${attempt}`));
}

function tokensOf(plan: CompletionRecord): number {
  const { prompt, answer } = countOf(plan);
  return prompt + answer;
}
