/**
 * KL estimates from logprobs of the same tokens under two policies (protocol of the cookbook: q sampled, p trained).
 * All in nats per token; arrays have one entry per token, of temperature 1.
 */

/** Largest weight of one token where a policy measures on another's samples (truncated importance weights). */
const mostWeight = 10;

/** p/q of one token. */
const weightOf = (p: number, q: number): number => Math.min(mostWeight, Math.exp(p - q));

/** Mean of q − p: unbiased, may be negative. */
export function klV1(q: readonly number[], p: readonly number[]): number {
  return q.length === 0 ? 0 : q.reduce((sum, value, i) => sum + value - (p[i] ?? value), 0) / q.length;
}

/** ½ mean (q − p)²: never negative, low variance near 0. */
export function klV2(q: readonly number[], p: readonly number[]): number {
  return q.length === 0 ? 0 : q.reduce((sum, value, i) => sum + (value - (p[i] ?? value)) ** 2, 0) / (2 * q.length);
}

/**
 * Entropy of a policy p on tokens that q sampled: −mean (p/q)·ln p. The weight makes it p's own entropy at q's prefixes;
 * without it an update would look as if it had raised the entropy, since −mean ln p is a cross-entropy.
 */
export function entropyAfter(q: readonly number[], p: readonly number[]): number {
  if (q.length === 0) return 0;
  return -q.reduce((sum, value, i) => sum + weightOf(p[i] ?? value, value) * (p[i] ?? value), 0) / q.length;
}

/**
 * KL(p ‖ b) of a policy p to a reference b on tokens that q sampled: mean (p/q)·(ln p − ln b). Without the weight, one
 * update away from b, it would estimate −KL(b ‖ p). May be slightly negative.
 */
export function klAfter(q: readonly number[], p: readonly number[], b: readonly number[]): number {
  if (q.length === 0) return 0;
  const each = (value: number, i: number): number => {
    const own = p[i] ?? value;
    return weightOf(own, value) * (own - (b[i] ?? own));
  };
  return q.reduce((sum, value, i) => sum + each(value, i), 0) / q.length;
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

/**
 * Token weights of cross-entropy that lower KL(p ‖ b) on tokens that q sampled: (p/q)(ln b − ln p) around a mean of 0,
 * over the number of tokens. One row a text, as given.
 */
export function pullBack(
  texts: readonly { sampled: readonly number[]; now: readonly number[]; initial: readonly number[] }[],
): number[][] {
  const each = texts.map(({ sampled, now, initial }) =>
    sampled.map((q, i) => {
      const p = now[i] ?? q;
      return { weight: weightOf(p, q), away: (initial[i] ?? p) - p };
    }),
  );
  const all = each.flat();
  const mass = all.reduce((sum, { weight }) => sum + weight, 0);
  const centre = all.reduce((sum, { weight, away }) => sum + weight * away, 0) / mass;
  return each.map((tokens) => tokens.map(({ weight, away }) => (weight * (away - centre)) / all.length));
}
