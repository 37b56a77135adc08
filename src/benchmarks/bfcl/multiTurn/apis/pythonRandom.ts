import { outOfRange } from '../../../../shared/outOfRange.ts';

/** Python's `random.Random`: a Mersenne Twister, seeded by a whole number. */
const size = 624;
const period = 397;

export class PythonRandom {
  readonly #state = new Uint32Array(size);
  #at = size;

  constructor(seed: bigint) {
    this.#seed(wordsOf(seed < 0n ? -seed : seed));
  }

  /** `randint(low, high)`: both may come. */
  int(low: bigint, high: bigint): bigint {
    const count = high - low + 1n;
    const bits = count.toString(2).length;
    let found = this.#bits(bits);
    while (found >= count) found = this.#bits(bits);
    return low + found;
  }

  /** `uniform(low, high)`. */
  uniform(low: number, high: number): number {
    const [a, b] = [this.#word() >>> 5, this.#word() >>> 6];
    return low + (high - low) * ((a * 67108864 + b) / 9007199254740992);
  }

  #bits(count: number): bigint {
    let value = 0n;
    for (let done = 0; done < count; done += 32) {
      const left = Math.min(32, count - done);
      value |= BigInt(this.#word() >>> (32 - left)) << BigInt(done);
    }
    return value;
  }

  #word(): number {
    if (this.#at === size) this.#twist();
    let word = this.#get(this.#at);
    this.#at += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  #twist(): void {
    for (let at = 0; at < size; at++) {
      const mixed = (this.#get(at) & 0x80000000) | (this.#get((at + 1) % size) & 0x7fffffff);
      const next = this.#get((at + period) % size) ^ (mixed >>> 1);
      this.#state[at] = (mixed & 1) === 1 ? next ^ 0x9908b0df : next;
    }
    this.#at = 0;
  }

  /** By an array of words, as the reference implementation has it. */
  #seed(key: readonly number[]): void {
    this.#state[0] = 19650218;
    for (let at = 1; at < size; at++) this.#state[at] = Math.imul(1812433253, this.#folded(at - 1)) + at;
    let at = 1;
    let from = 0;
    for (let step = Math.max(size, key.length); step > 0; step--) {
      this.#state[at] = (this.#get(at) ^ Math.imul(this.#folded(at - 1), 1664525)) + (key[from] ?? outOfRange()) + from;
      at = this.#next(at);
      from = (from + 1) % key.length;
    }
    for (let step = size - 1; step > 0; step--) {
      this.#state[at] = (this.#get(at) ^ Math.imul(this.#folded(at - 1), 1566083941)) - at;
      at = this.#next(at);
    }
    this.#state[0] = 0x80000000;
  }

  #next(at: number): number {
    if (at + 1 < size) return at + 1;
    this.#state[0] = this.#get(size - 1);
    return 1;
  }

  #folded(at: number): number {
    const word = this.#get(at);
    return word ^ (word >>> 30);
  }

  #get(at: number): number {
    return this.#state[at] ?? outOfRange();
  }
}

/** From the lowest. */
function wordsOf(value: bigint): number[] {
  const words = [Number(value & 0xffffffffn)];
  for (let rest = value >> 32n; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words;
}
