import type { Sequence } from '../../shared/records/trace.ts';
import type { Datum } from '../ports.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { beginsWith, packSequence } from './packed/packedSequence.ts';

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
  return sampledPositions(sequence).map((i) => full[i] ?? outOfRange());
}

/** Values of the sampled tokens laid out over the full length L, 0 elsewhere. */
function spread(sequence: Pick<Sequence, 'tokens' | 'spans'>, values: readonly number[]): number[] {
  const full = new Array<number>(sequence.tokens.length).fill(0);
  for (const [k, i] of sampledPositions(sequence).entries()) full[i] = values[k] ?? outOfRange();
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
 * Joins a completion to the sequences of an episode: appended to the newest whose tokens its prompt starts with (one
 * datum, one forward pass), else a new sequence begins (a history that was rewritten, by a template or by a program).
 */
export function appendTurn(
  sequences: Sequence[],
  turn: { promptTokens: readonly number[]; tokens: readonly number[]; logprobs: readonly number[] },
): void {
  const { promptTokens } = turn;
  const start = promptTokens.length;
  const extended: Sequence = {
    tokens: promptTokens.concat(turn.tokens),
    spans: [[start, start + turn.tokens.length]],
    logprobs: [...turn.logprobs],
  };
  const at = sequences.findLastIndex((sequence) => beginsWith(promptTokens, sequence));
  const before = sequences[at];
  if (before === undefined) {
    // The one before is hardly ever continued now.
    const last = sequences.at(-1);
    if (last !== undefined) sequences[sequences.length - 1] = packSequence(last, sequences.at(-2));
    sequences.push(extended);
    return;
  }
  sequences[at] = {
    tokens: extended.tokens,
    spans: [...before.spans, ...extended.spans],
    logprobs: [...before.logprobs, ...extended.logprobs],
  };
}

/** A loss as recorded: six digits, so that endpoints with another order of summation record the same. */
export const recordedLoss = (loss: number): number => Number(loss.toPrecision(6));

/** Logprobs are kept to six decimals: the loop trains on exactly the values in its records. */
export function recordedLogprobs(logprobs: readonly number[]): number[] {
  return logprobs.map((value) => Math.round(value * 1e6) / 1e6);
}
