/** Prioritised level replay (arXiv 2010.03934, §3): which of the tasks that were attempted come again. */
import type { Rng } from '../random.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** ln of P_S ∝ (1/rank)^(1/β), not normalised; the highest score has rank 1, equal scores stand in random order. */
export function rankWeights(scores: Float64Array, beta: number, rng: Rng): Float64Array {
  const next = new Map<number, number>();
  const sorted = Float64Array.from(scores).sort();
  for (let i = sorted.length - 1; i >= 0; i--) {
    const score = sorted[i] ?? outOfRange();
    if (!next.has(score)) next.set(score, sorted.length - i);
  }
  const weights = new Float64Array(scores.length);
  for (const at of inRandomOrder(scores.length, rng)) {
    const score = scores[at] ?? outOfRange();
    const rank = next.get(score) ?? outOfRange();
    next.set(score, rank + 1);
    weights[at] = -Math.log(rank) / beta;
  }
  return weights;
}

/** ln of P_C ∝ age, not normalised; all alike where all were attempted in the newest epoch. */
export function ageWeights(ages: Float64Array): Float64Array {
  return ages.some((age) => age > 0) ? ages.map((age) => Math.log(age)) : ages.map(() => 0);
}

/** Fisher–Yates, from the end. */
function inRandomOrder(count: number, rng: Rng): Uint32Array {
  const places = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = rng.int(i + 1);
    const one = places[i] ?? outOfRange();
    places[i] = places[j] ?? outOfRange();
    places[j] = one;
  }
  return places;
}
