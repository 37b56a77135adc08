/**
 * A batch for a server that averages (§15, SkyRL's JAX backend): of each sequence Σ(loss)/Σ(weights), then the mean over
 * the sequences of a step. What is asked of it is scaled so that its mean is the sum that we mean.
 */
import type { Datum, Loss } from '../../engine/ports.ts';

/**
 * D sequences, of which sequence i has N_i targets. Losses of ratios weigh every target alike, so advantages · D · N_i come
 * out as they were. Cross-entropy divides by the very weights that it is given, which no factor undoes: its gradient is
 * asked for as that of importance sampling at ratio 1. `current`: logprobs of the weights that are trained now.
 */
export async function balanced(
  data: readonly Datum[],
  loss: Loss,
  current: () => Promise<readonly (readonly number[])[]>,
): Promise<{ data: Datum[]; loss: Loss }> {
  const scaled = (values: readonly number[] | undefined, { tokens }: Datum): number[] =>
    tokens.map((_, i) => (values?.[i] ?? 0) * data.length * (tokens.length - 1));
  if (loss.name !== 'cross_entropy') {
    return { data: data.map((datum) => ({ ...datum, advantages: scaled(datum.advantages, datum) })), loss };
  }
  const logprobs = await current();
  return {
    data: data.map((datum, i) => ({
      tokens: datum.tokens,
      logprobs: logprobs[i] ?? [],
      advantages: scaled(datum.weights, datum),
    })),
    loss: { name: 'importance_sampling' },
  };
}
