/** Choosing k of many by keys: one pass and a sort of numbers, so that 10⁶ candidates cost well under a second. */
import type { Rng } from '../random.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** `count` different ones of the places 0 … n − 1, ascending. Draws one number a place, and none where none is wanted. */
export function anyOf(n: number, count: number, rng: Rng): number[] {
  if (count <= 0) return [];
  const keys = Float64Array.from({ length: n }, () => rng.next());
  const { below, tied } = split(keys, count);
  return [...below, ...tied.slice(0, count - below.length)].sort((a, b) => a - b);
}

/** Places of the `count` least keys; chance decides between those that are equal to the last. */
export function least(keys: Float64Array, count: number, rng: Rng): number[] {
  if (count <= 0) return [];
  const { below, tied } = split(keys, count);
  return [...below, ...anyOf(tied.length, count - below.length, rng).map((i) => tied[i] ?? outOfRange())];
}

/** Places below the `count`-th least key, and those at it. */
function split(keys: Float64Array, count: number): { below: number[]; tied: number[] } {
  const last = Float64Array.from(keys).sort()[Math.min(count, keys.length) - 1];
  const below: number[] = [];
  const tied: number[] = [];
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? outOfRange();
    if (last !== undefined && key < last) below.push(at);
    else if (key === last) tied.push(at);
  }
  return { below, tied };
}

/**
 * `count` places drawn one after another without putting back, each by its weight among those left: the least of
 * ln(−ln(1 − u)) − ln w, with one u a place (Gumbel’s trick). Weights of 0 (−∞) are never drawn.
 */
export function weighted(logWeights: Float64Array, count: number, rng: Rng): number[] {
  const keys = logWeights.map((weight) => {
    const u = rng.next();
    return weight === -Infinity ? Infinity : Math.log(-Math.log(1 - u)) - weight;
  });
  const possible = logWeights.reduce((sum, weight) => sum + (weight === -Infinity ? 0 : 1), 0);
  return least(keys, Math.min(count, possible), rng);
}
