/**
 * Seeded randomness. Every random choice of the method draws from a stream named after its purpose (run seed, epoch,
 * family, …), never from a shared one, so that a resumed run repeats the choices of an undisturbed one.
 */

/** FNV-1a over the keys, spread into four words; keys are separated so that ('a', 'b') differs from ('ab'). */
function hashKeys(keys: readonly (string | number)[]): [number, number, number, number] {
  const words: [number, number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35];
  const text = keys.map((key) => `${typeof key}:${key}`).join('\u0000');
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    words[0] = Math.imul(words[0] ^ code, 0x01000193);
    words[1] = Math.imul(words[1] ^ code ^ (words[0] >>> 13), 0x85ebca6b);
    words[2] = Math.imul(words[2] ^ code ^ (words[1] >>> 15), 0xc2b2ae35);
    words[3] = Math.imul(words[3] ^ code ^ (words[2] >>> 16), 0x27d4eb2f);
  }
  return words;
}

/** A stream of pseudo-random numbers (sfc32). */
export class Rng {
  readonly #state: [number, number, number, number];

  private constructor(state: [number, number, number, number]) {
    this.#state = state;
    for (let i = 0; i < 15; i++) this.#word();
  }

  /** The stream that these keys name. Equal keys give equal streams. */
  static from(...keys: (string | number)[]): Rng {
    return new Rng(hashKeys(keys));
  }

  #word(): number {
    const state = this.#state;
    const sum = (((state[0] + state[1]) | 0) + state[3]) | 0;
    state[3] = (state[3] + 1) | 0;
    state[0] = state[1] ^ (state[1] >>> 9);
    state[1] = (state[2] + (state[2] << 3)) | 0;
    state[2] = (state[2] << 21) | (state[2] >>> 11);
    state[2] = (state[2] + sum) | 0;
    return sum >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    return this.#word() / 4294967296;
  }

  /** Uniform in 0 … n − 1. */
  int(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** `k` different items in random order (all of them when there are fewer). */
  pick<T>(items: readonly T[], k: number): T[] {
    return this.shuffle(items).slice(0, k);
  }

  /** A shuffled copy (sorted by random keys). */
  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: this.next() }));
    keyed.sort((a, b) => a.key - b.key);
    return keyed.map(({ item }) => item);
  }
}

/** A 31-bit seed for an endpoint, named like a stream. */
export function seedFrom(...keys: (string | number)[]): number {
  return Rng.from(...keys).int(2 ** 31);
}
