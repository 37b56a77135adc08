import { outOfRange } from '../../../shared/outOfRange.ts';

/**
 * Jaccard overlaps of all pairs of some sets, exact: each hash is looked up once, so that sets with nothing in common cost
 * nothing. O(sets² + Σ over the hashes of the square of the sets that hold it).
 */
export class Overlaps {
  readonly #sizes: readonly number[];
  /** By pair, in the earlier set's row: the number of shared shingles. */
  readonly #shared: Uint32Array;

  constructor(sets: readonly ReadonlySet<number>[]) {
    this.#sizes = sets.map(({ size }) => size);
    this.#shared = new Uint32Array(sets.length ** 2);
    const holders = new Map<number, number[]>();
    for (const [b, set] of sets.entries()) {
      for (const hash of set) {
        const before = holders.get(hash);
        if (before === undefined) holders.set(hash, [b]);
        else {
          for (const a of before) {
            const pair = a * sets.length + b;
            this.#shared[pair] = (this.#shared[pair] ?? outOfRange()) + 1;
          }
          before.push(b);
        }
      }
    }
  }

  /** 0…1, 1 for a set with itself and for two empty ones. */
  of(a: number, b: number): number {
    if (a === b) return 1;
    const shared = this.#shared[Math.min(a, b) * this.#sizes.length + Math.max(a, b)] ?? outOfRange();
    const union = (this.#sizes[a] ?? outOfRange()) + (this.#sizes[b] ?? outOfRange()) - shared;
    return union === 0 ? 1 : shared / union;
  }
}
