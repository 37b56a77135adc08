import { checkOf, rowBytes, rowWords, unknownTokens, type Hash } from './recordRow.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** Rows of an index, read directly in its file: for a single pass. */
export class IndexRows {
  /** Number of the first row. */
  readonly first: number;
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #doubles: Float64Array;

  /** @param bytes whole rows, 8-byte aligned in their buffer */
  constructor(first: number, bytes: Uint8Array) {
    this.first = first;
    this.count = bytes.byteLength / rowBytes;
    this.bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, this.count * rowWords);
    this.#doubles = new Float64Array(bytes.buffer, bytes.byteOffset, this.count * (rowWords / 2));
  }

  /** Bytes before the record of the i-th row. */
  offset = (i: number): number => this.#doubles[i * (rowWords / 2)] ?? outOfRange();
  value = (i: number): number => this.#doubles[i * (rowWords / 2) + 1] ?? outOfRange();
  length = (i: number): number => this.#word(i, 4);
  crc = (i: number): number => this.#word(i, 5);
  epoch = (i: number): number => this.#word(i, 6);
  /** Null where nothing counted them. */
  tokens(i: number): number | null {
    const tokens = this.#word(i, 7);
    return tokens === unknownTokens ? null : tokens;
  }

  flags = (i: number): number => this.#word(i, 14);
  isOf = (i: number, { low, high }: Hash): boolean => this.#word(i, 8) === low && this.#word(i, 9) === high;
  isOfFamily = (i: number, { low, high }: Hash): boolean => this.#word(i, 10) === low && this.#word(i, 11) === high;
  isOfTask = (i: number, { low, high }: Hash): boolean => this.#word(i, 12) === low && this.#word(i, 13) === high;
  /** Of its id, for sets. */
  idLow = (i: number): number => this.#word(i, 8);

  /** Byte after the newline of the i-th row's record. */
  end = (i: number): number => this.offset(i) + this.length(i) + 1;

  /** Whether every row is whole and begins where the one before it ended. */
  get sound(): boolean {
    for (let i = 0; i < this.count; i++) {
      if (this.#word(i, rowWords - 1) !== checkOf(this.#words, i * rowWords)) return false;
      if (i > 0 && this.offset(i) !== this.end(i - 1)) return false;
    }
    return true;
  }

  /** Of the records of rows [from, to): the same rows of other records give another number. */
  recordsCheck(from: number, to: number): number {
    let check = 0;
    for (let i = from; i < to; i++) check = Math.imul(check ^ this.crc(i), 0x9e3779b1) ^ (check >>> 15);
    return check >>> 0;
  }

  #word(i: number, word: number): number {
    return this.#words[i * rowWords + word] ?? outOfRange();
  }
}
