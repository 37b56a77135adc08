/** The tokens of a trace. */
import type { Trace } from '../../../shared/records/trace.ts';

/** Tokens processed for a trace: prompt and answer. Counted from spans, which every trace keeps, or by the server. */
export function tokensOf({ sequences, counted = { prompt: 0, answer: 0 } }: Trace): number {
  return sequences.reduce((sum, { spans }) => sum + (spans.at(-1)?.[1] ?? 0), counted.prompt + counted.answer);
}

interface Counts {
  sequences: readonly unknown[];
  counted?: unknown;
}

/** Whether it has an answer whose tokens were counted, by their ids, a job or a server. */
export const hasCountedAnswer = ({ sequences, counted }: Counts): boolean =>
  sequences.length > 0 || counted !== undefined;

/** Whether its tokens were counted: a job without a tokenizer tells words alone. An attempt without an answer has none. */
export const isCounted = (trace: Counts & { messages: readonly { role: string }[] }): boolean =>
  hasCountedAnswer(trace) || !trace.messages.some(({ role }) => role === 'assistant');

/** As `answerTokens`; null where they were not counted. */
export const knownAnswerTokens = (trace: Trace): number | null => (isCounted(trace) ? answerTokens(trace) : null);

/** As `tokensOf`; null where its answer or a prompt was not counted: none is empty, so that one of 0 tokens is not known. */
export const knownTokens = (trace: Trace): number | null =>
  isCounted(trace) && trace.sequences.every(({ spans }) => spans.every(([start]) => start > 0))
    ? tokensOf(trace)
    : null;

/** How many traces ended at their limit of tokens. */
export const truncatedOf = (traces: readonly Pick<Trace, 'stopReason'>[]): number =>
  traces.filter(({ stopReason }) => stopReason === 'length').length;

/** Sampled tokens of a trace. */
export function answerTokens(trace: Trace): number {
  const counted = trace.counted?.answer ?? 0;
  return trace.sequences.reduce(
    (sum, { spans }) => sum + spans.reduce((n, [start, end]) => n + end - start, 0),
    counted,
  );
}

/** Prompt tokens as they were sent: every turn sends all before it, of which `tokensOf` counts the last turn’s alone. */
export function sentTokens({ sequences, counted }: Pick<Trace, 'sequences' | 'counted'>): number {
  return sequences.reduce((sum, { spans }) => sum + promptsOf(spans), counted?.prompt ?? 0);
}

/** Lengths of the prompts that spans of samples in one sequence were answers to. */
export const promptsOf = (spans: readonly (readonly [number, number])[]): number =>
  spans.reduce((sum, [start]) => sum + start, 0);
