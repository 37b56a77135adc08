/** The tokens of a trace. */
import type { Trace } from '../../../shared/records/trace.ts';

/** Tokens processed for a trace: prompt and answer. Counted from spans, which every trace keeps, or by the server. */
export function tokensOf({ sequences, counted = { prompt: 0, answer: 0 } }: Trace): number {
  return sequences.reduce((sum, { spans }) => sum + (spans.at(-1)?.[1] ?? 0), counted.prompt + counted.answer);
}

/** Sampled tokens of a trace. */
export function answerTokens(trace: Trace): number {
  const counted = trace.counted?.answer ?? 0;
  return trace.sequences.reduce(
    (sum, { spans }) => sum + spans.reduce((n, [start, end]) => n + end - start, 0),
    counted,
  );
}

/** Sampled tokens of all attempts. */
export const sampledTokens = (groups: readonly { traces: readonly Trace[] }[]): number =>
  groups.reduce((sum, { traces }) => sum + traces.reduce((own, trace) => own + answerTokens(trace), 0), 0);
