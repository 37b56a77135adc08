/** Tokens of texts and attempts as servers bill them. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { pricesTokens } from '../../shared/money/prices.ts';
import { usesOf, type Use } from '../../shared/money/used.ts';
import type { CompletionRecord } from '../../shared/records/completionRecord.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { defined } from '../../shared/defined.ts';
import { sum } from '../../shared/sum.ts';
import { answerTokens, promptsOf, sentTokens } from '../phases/attempts/traceTokens.ts';
import { sampledCount } from '../math/sequence.ts';
import { countOf } from '../turn.ts';

/** Members of a phase’s event. */
export interface Billed {
  sampled: number;
  sent: number;
}

/**
 * Of a text, in records of older versions with its plan where that was paid for with it, and of the independent answers to it by the policy that gave them: in records of older versions
 * the environment's, all sampled.
 */
export function usesOfText({ generation, agreement }: Pick<Task, 'generation' | 'agreement'>): Use[] {
  const text = useOfGeneration(generation);
  if (agreement === undefined) return [text];
  const { tokens, prompt: sent = 0, by = 'environment' } = agreement;
  return [text, { role: by, prompt: sent, sampled: tokens - sent, trained: 0 }];
}

export function useOfPlan(plan: CompletionRecord): Use {
  const { prompt, answer } = countOf(plan);
  return { role: 'environment', prompt, sampled: answer, trained: 0 };
}

function useOfGeneration(generation: Task['generation']): Use {
  if (generation === undefined) return { role: 'environment', prompt: 0, sampled: 0, trained: 0 };
  const { counted = { prompt: 0, answer: 0 }, planPaid } = generation;
  const spans = planPaid === true ? generation.spans.slice(-1) : generation.spans;
  return {
    role: 'environment',
    prompt: promptsOf(spans) + counted.prompt,
    sampled: sampledCount({ spans }) + counted.answer,
    trained: 0,
  };
}

/** Members of the event of an epoch's texts and plans. */
export function billedForTexts(
  endpoints: Experiment['endpoints'],
  texts: readonly Task[],
  plans: readonly CompletionRecord[],
): (Billed & { byAgent?: Billed }) | null {
  const { environment = [], agent } = Object.groupBy(
    [...texts.flatMap(usesOfText), ...plans.map(useOfPlan)],
    ({ role }) => role,
  );
  const own = billed(endpoints, environment);
  return own && { ...own, ...defined({ byAgent: agent && (billed(endpoints, agent) ?? undefined) }) };
}

export const useOfTrace = (trace: Trace): Use => ({
  role: 'agent',
  prompt: sentTokens(trace),
  sampled: answerTokens(trace),
  trained: 0,
});

/** Null where tokens have no price. */
function billed(endpoints: Experiment['endpoints'], uses: readonly Use[]): Billed | null {
  if (!pricesTokens(endpoints)) return null;
  return {
    sampled: sum(uses.map(({ sampled }) => sampled)),
    sent: sum(uses.map(({ prompt }) => prompt)),
  };
}

export const billedFor = (
  endpoints: Experiment['endpoints'],
  groups: readonly { traces: readonly Trace[] }[],
): Billed | null => billed(endpoints, groups.flatMap(({ traces }) => traces).map(useOfTrace));

/** Tokens as they are billed for phases; undefined where they have no price. */
export function billedIn(
  endpoints: Experiment['endpoints'],
  phases: readonly (JournalEvent | null | undefined)[],
): number | undefined {
  const uses = phases.flatMap((event) => (event == null ? [] : usesOf(event)));
  const all = billed(endpoints, uses);
  return all === null ? undefined : all.sampled + all.sent;
}
