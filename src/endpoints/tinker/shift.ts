/** Between our sequences and the protocol's: there position i reads tokens 0..i and is scored on token i+1 (§5). */
import type { Datum, Loss } from '../../engine/ports.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** Logprobs of L−1 targets as L entries; entry 0 is 0. */
export const fromWire = (logprobs: readonly number[]): number[] => [0, ...logprobs];

export const lossConfig = (loss: Loss): Record<string, number> =>
  loss.name === 'ppo' || loss.name === 'cispo'
    ? { clip_low_threshold: loss.clipLow, clip_high_threshold: loss.clipHigh }
    : {};

/** The summed loss of one datum from its logprobs (§6): servers name and round it differently. */
export function lossOf(loss: Loss, datum: Datum, logprobs: readonly number[]): number {
  let sum = 0;
  for (let i = 1; i < datum.tokens.length; i++) {
    const p = logprobs[i] ?? outOfRange();
    if (loss.name === 'cross_entropy') {
      sum -= (datum.weights?.[i] ?? 0) * p;
      continue;
    }
    const advantage = datum.advantages?.[i] ?? 0;
    if (advantage === 0) continue;
    const ratio = Math.exp(p - (datum.logprobs?.[i] ?? 0));
    if (loss.name === 'importance_sampling') sum -= ratio * advantage;
    else {
      const clipped = Math.min(loss.clipHigh, Math.max(loss.clipLow, ratio));
      sum -= loss.name === 'ppo' ? Math.min(ratio * advantage, clipped * advantage) : clipped * p * advantage;
    }
  }
  return sum;
}
