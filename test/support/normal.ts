import type { Rng } from '../../src/engine/random.ts';

/** A standard normal number, nearly: the sum of twelve uniform ones. */
export function normal(rng: Rng): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += rng.next();
  return sum;
}
