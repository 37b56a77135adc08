/** How much the agent's own words surprised it: −logprob of every sampled token, in nats. */
import { largest } from '../../../shared/extremes.ts';
import { allSaid } from '../../../shared/records/conversations.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Of one assistant turn. */
export interface Surprise {
  /** Over the turn's tokens. */
  mean: number;
  /** The least expected token. */
  most: number;
  /** One entry a token, in order. */
  nats: readonly number[];
}

/** The sampled tokens of each assistant turn of a trace, in order. */
export interface SampledTurn {
  tokens: number;
  /** Null where no logprobs are recorded. */
  surprise: Surprise | null;
}

/**
 * The sampled tokens by turn number. In a single conversation, spans and assistant turns have the same order; where a
 * program led several, a turn is found by its tokens, and a turn whose tokens match several spans with different
 * logprobs shows no surprise.
 */
export function sampledByTurn(trace: Pick<Trace, 'messages' | 'branches' | 'sequences'>): Map<number, SampledTurn> {
  const spoken = [...allSaid(trace).entries()].filter(([, { role }]) => role === 'assistant');
  if (trace.branches === undefined) {
    const sampled = sampledTurns(trace);
    return new Map(spoken.flatMap(([turn], i) => (sampled[i] === undefined ? [] : [[turn, sampled[i]]])));
  }
  const byTokens = new Map<string, SampledTurn>();
  const ids = trace.sequences.flatMap(({ tokens, spans }) => spans.map(([start, end]) => tokens.slice(start, end)));
  for (const [i, own] of sampledTurns(trace).entries()) {
    const key = ids[i]?.join() ?? '';
    const alike = byTokens.get(key);
    const same = alike === undefined || alike.surprise?.nats.join() === own.surprise?.nats.join();
    byTokens.set(key, same ? own : { ...own, surprise: null });
  }
  return new Map(
    spoken.flatMap(([turn, { tokens }]) => {
      const own = tokens === undefined ? undefined : byTokens.get(tokens.join());
      return own === undefined ? [] : [[turn, own]];
    }),
  );
}

/** Every span of sampled positions is one assistant turn, in any sequence. */
export function sampledTurns({ sequences }: Pick<Trace, 'sequences'>): SampledTurn[] {
  return sequences.flatMap(({ spans, logprobs }) => {
    let from = 0;
    return spans.map(([start, end]) => {
      const own = logprobs.slice(from, from + end - start);
      from += end - start;
      return { tokens: end - start, surprise: own.length === end - start ? surpriseOf(own) : null };
    });
  });
}

function surpriseOf(logprobs: readonly number[]): Surprise | null {
  if (logprobs.length === 0) return null;
  const nats = logprobs.map((logprob) => Math.max(0, -logprob));
  return { nats, mean: nats.reduce((sum, one) => sum + one, 0) / nats.length, most: largest(nats) };
}

/** So many tokens of a turn are pointed at. */
const pointedAt = 3;
/** Less than one bit is no surprise. */
const least = Math.LN2;

/**
 * The places of a turn's least expected tokens in its text. Only where a token is a word, except at the turn's end: the
 * vocabulary of other models is unknown here.
 */
export function surprisingWords(content: string, { nats }: Surprise): { start: number; end: number; nats: number }[] {
  const words = [...content.matchAll(/\S+/g)];
  if (words.length !== nats.length && words.length !== nats.length - 1) return [];
  return words
    .map((word, i) => ({ start: word.index, end: word.index + word[0].length, nats: nats[i] ?? outOfRange() }))
    .filter((word) => word.nats >= least)
    .sort((a, b) => b.nats - a.nats)
    .slice(0, pointedAt)
    .sort((a, b) => a.start - b.start);
}
