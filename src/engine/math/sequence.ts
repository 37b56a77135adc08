import type { Sequence } from '../../shared/records/trace.ts';
import type { Datum } from '../ports.ts';

/** Number of sampled tokens of a sequence. */
export function sampledCount({ spans }: Pick<Sequence, 'spans'>): number {
  return spans.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** Positions of the sampled tokens, in order; as many as `logprobs` has entries. */
function sampledPositions({ spans }: Pick<Sequence, 'spans'>): number[] {
  const positions: number[] = [];
  for (const [start, end] of spans) for (let i = start; i < end; i++) positions.push(i);
  return positions;
}

/** The entries of a full-length (L) array at the sampled positions. */
export function atSampled(sequence: Pick<Sequence, 'spans'>, full: readonly number[]): number[] {
  return sampledPositions(sequence).map((i) => full[i] ?? 0);
}

/** Values of the sampled tokens laid out over the full length L, 0 elsewhere. */
function spread(sequence: Pick<Sequence, 'tokens' | 'spans'>, values: readonly number[]): number[] {
  const full = new Array<number>(sequence.tokens.length).fill(0);
  for (const [k, i] of sampledPositions(sequence).entries()) full[i] = values[k] ?? 0;
  return full;
}

/** A policy-gradient datum: `advantages` has one entry per sampled token. */
export function advantageDatum(sequence: Sequence, advantages: readonly number[]): Datum {
  return {
    tokens: sequence.tokens,
    logprobs: spread(sequence, sequence.logprobs),
    advantages: spread(sequence, advantages),
  };
}

/** A cross-entropy datum: `weights` has one entry per sampled token. */
export function weightDatum(sequence: Pick<Sequence, 'tokens' | 'spans'>, weights: readonly number[]): Datum {
  return { tokens: sequence.tokens, weights: spread(sequence, weights) };
}

/**
 * Joins a completion to the sequences of an episode: appended when its prompt starts with everything so far (one datum,
 * one forward pass), else a new sequence begins (a template that rewrote history).
 */
export function appendTurn(
  sequences: Sequence[],
  turn: { promptTokens: readonly number[]; tokens: readonly number[]; logprobs: readonly number[] },
): void {
  const last = sequences.at(-1);
  const start = turn.promptTokens.length;
  const extended: Sequence = {
    tokens: [...turn.promptTokens, ...turn.tokens],
    spans: [[start, start + turn.tokens.length]],
    logprobs: [...turn.logprobs],
  };
  const continues = last !== undefined && last.tokens.every((token, i) => token === turn.promptTokens[i]);
  if (!continues) {
    sequences.push(extended);
    return;
  }
  sequences[sequences.length - 1] = {
    tokens: extended.tokens,
    spans: [...last.spans, ...extended.spans],
    logprobs: [...last.logprobs, ...extended.logprobs],
  };
}

/** A loss as it is recorded: six digits, so that endpoints which sum in another order record the same. */
export const recordedLoss = (loss: number): number => Number(loss.toPrecision(6));

/** Logprobs are kept to six decimals: what the loop trains on is exactly what its records hold. */
export function recordedLogprobs(logprobs: readonly number[]): number[] {
  return logprobs.map((value) => Math.round(value * 1e6) / 1e6);
}
