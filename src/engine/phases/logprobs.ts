/** A policy's logprobs of texts sampled earlier. */
import type { Sequence } from '../../shared/records/trace.ts';
import { atSampled } from '../math/sequence.ts';
import type { PolicyVersion, TrainablePolicy } from '../ports.ts';

/** Logprobs (temperature 1) of each sequence's sampled tokens under frozen weights. Of no sequences nothing is asked. */
export async function sampledLogprobs(
  policy: Pick<TrainablePolicy, 'score'>,
  version: PolicyVersion,
  sequences: readonly Pick<Sequence, 'tokens' | 'spans'>[],
  signal: AbortSignal,
): Promise<number[][]> {
  if (sequences.length === 0) return [];
  const tokens = sequences.map((sequence) => sequence.tokens);
  const full = await policy.score(version, tokens, signal);
  return sequences.map((sequence, i) => atSampled(sequence, full[i] ?? []));
}
