/** Tokens of texts and attempts as servers bill them. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { pricesTokens } from '../../shared/money/prices.ts';
import { useOf, type Use } from '../../shared/money/used.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { sum } from '../../shared/sum.ts';
import { answerTokens, promptsOf, sentTokens } from '../phases/attempts/traceTokens.ts';
import { writtenTokens } from '../phases/written/textTokens.ts';

/** Members of a phase’s event. */
export interface Billed {
  sampled: number;
  sent: number;
}

/** Of a text, with its plan and the independent answers to it, which count as sampled. */
export function useOfText({ generation, agreement }: Pick<Task, 'generation' | 'agreement'>): Use {
  const sampled = (generation === undefined ? 0 : writtenTokens(generation)) + (agreement?.tokens ?? 0);
  const prompt = promptsOf(generation?.spans ?? []) + (generation?.counted?.prompt ?? 0);
  return { role: 'environment', prompt, sampled, trained: 0 };
}

export const useOfTrace = (trace: Trace): Use => ({
  role: 'agent',
  prompt: sentTokens(trace),
  sampled: answerTokens(trace),
  trained: 0,
});

/** Null where tokens have no price. */
export function billed(endpoints: Experiment['endpoints'], uses: readonly Use[]): Billed | null {
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
  const uses = phases.flatMap((event) => (event == null ? [] : (useOf(event) ?? [])));
  const all = billed(endpoints, uses);
  return all === null ? undefined : all.sampled + all.sent;
}
