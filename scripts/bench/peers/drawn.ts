import { Rng } from '../../../src/engine/random.ts';

/** How long the answer of this number takes, log-normal with σ = 1, and whether it is right. */
export function drawn(number: number, median: number): { milliseconds: number; right: boolean } {
  const rng = Rng.from('peers', number);
  const normal = Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
  return { milliseconds: median * Math.exp(normal), right: rng.next() < 0.5 };
}
