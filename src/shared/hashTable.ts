import { outOfRange } from './outOfRange.ts';

/** Numbers under pairs of 32-bit words, for as many as a run has tasks: open addressing over typed arrays, 12 bytes each. */
export class HashTable {
  readonly #mask: number;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  /** Value + 1; 0 is free. */
  readonly #value: Uint32Array;

  /** @param entries most pairs that will ever be put in */
  constructor(entries: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, entries * 1.25)));
    this.#mask = size - 1;
    this.#low = new Uint32Array(size);
    this.#high = new Uint32Array(size);
    this.#value = new Uint32Array(size);
  }

  get(low: number, high: number): number | null {
    const value = this.#value[this.#find(low, high)] ?? outOfRange();
    return value === 0 ? null : value - 1;
  }

  set(low: number, high: number, value: number): void {
    const at = this.#find(low, high);
    this.#low[at] = low;
    this.#high[at] = high;
    this.#value[at] = value + 1;
  }

  /** Where a pair stands, or would. */
  #find(low: number, high: number): number {
    let at = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    for (at = (at ^ (at >>> 15)) & this.#mask; this.#value[at] !== 0; at = (at + 1) & this.#mask) {
      if (this.#low[at] === low && this.#high[at] === high) break;
    }
    return at;
  }
}
