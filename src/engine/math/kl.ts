/**
 * KL estimates from logprobs of the same tokens under two policies (protocol of the cookbook: q sampled, p trained).
 * All in nats per token; arrays have one entry per token.
 */

/** Mean of q − p: unbiased, may be negative. */
export function klV1(q: readonly number[], p: readonly number[]): number {
  return q.length === 0 ? 0 : q.reduce((sum, value, i) => sum + value - (p[i] ?? value), 0) / q.length;
}

/** ½ mean (q − p)²: never negative, low variance near 0. */
export function klV2(q: readonly number[], p: readonly number[]): number {
  return q.length === 0 ? 0 : q.reduce((sum, value, i) => sum + (value - (p[i] ?? value)) ** 2, 0) / (2 * q.length);
}

/** −mean q over sampled tokens: the entropy estimate. */
export function entropyOf(q: readonly number[]): number {
  return q.length === 0 ? 0 : -q.reduce((sum, value) => sum + value, 0) / q.length;
}

/**
 * KL to a reference as zero-mean shaping of the advantages: A_i += coefficient · (d̄ − d_i), d_i = q_i − b_i, d̄ the mean
 * over the whole batch. Returns the shaped advantages and d̄, the estimate of KL(policy ‖ reference).
 */
export function shapeAdvantages(
  advantages: readonly (readonly number[])[],
  sampled: readonly (readonly number[])[],
  reference: readonly (readonly number[])[],
  coefficient: number,
): { advantages: number[][]; kl: number } {
  let sum = 0;
  let tokens = 0;
  const differences = sampled.map((q, row) => {
    const b = reference[row] ?? [];
    return q.map((value, i) => {
      const d = value - (b[i] ?? value);
      sum += d;
      tokens += 1;
      return d;
    });
  });
  const mean = tokens === 0 ? 0 : sum / tokens;
  return {
    kl: mean,
    advantages: advantages.map((row, r) => row.map((a, i) => a + coefficient * (mean - (differences[r]?.[i] ?? mean)))),
  };
}
