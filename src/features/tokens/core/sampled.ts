/** Every sampled token of a trace, in the order of its answers. */
import { allSaid } from '../../../shared/records/conversations.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

export interface Sampled {
  id: number;
  /** Natural log, at temperature 1, under the version that sampled it; null where not recorded. */
  logprob: number | null;
  /** Place in the trace's sequences. */
  at: { sequence: number; position: number };
}

/** The sampled tokens of one answer of the agent. */
export interface SampledAnswer {
  /** The number of its message in the trace, from 0; null where several conversations were led. */
  turn: number | null;
  tokens: readonly Sampled[];
}

export function sampledAnswers(trace: Pick<Trace, 'messages' | 'branches' | 'sequences'>): SampledAnswer[] {
  const spoken = [...allSaid(trace).entries()].flatMap(([turn, { role }]) => (role === 'assistant' ? [turn] : []));
  const answers = trace.sequences.flatMap(({ tokens, spans, logprobs }, sequence) => {
    // Validations keep where tokens stood, and not the tokens.
    if (tokens.length === 0) return [];
    let next = 0;
    return spans.map(([start, end]) => {
      const positions = Array.from({ length: end - start }, (_, i) => start + i);
      return positions.map((position): Sampled => {
        const logprob = logprobs[next++] ?? null;
        return { id: tokens[position] ?? outOfRange(), logprob, at: { sequence, position } };
      });
    });
  });
  const told = trace.branches === undefined && spoken.length === answers.length;
  return answers.map((tokens, i) => ({ turn: told ? (spoken[i] ?? null) : null, tokens }));
}
