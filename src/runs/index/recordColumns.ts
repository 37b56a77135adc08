import { checkOf, rowBytes, rowWords, unknownTokens, type Hash, type RecordRow } from './recordRow.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

const noRow = -1;

/**
 * The rows of one record file as growable typed arrays, and a table from id hash to row. About 64 bytes a record.
 * Arrays are longer than `count`; the entries beyond it are meaningless.
 */
export class RecordColumns {
  count = 0;
  offset = new Float64Array(0);
  value = new Float64Array(0);
  length = new Uint32Array(0);
  crc = new Uint32Array(0);
  epoch = new Uint32Array(0);
  tokens = new Uint32Array(0);
  idLow = new Uint32Array(0);
  idHigh = new Uint32Array(0);
  familyLow = new Uint32Array(0);
  familyHigh = new Uint32Array(0);
  taskLow = new Uint32Array(0);
  taskHigh = new Uint32Array(0);
  flags = new Uint32Array(0);
  /** Rows whose id hash an earlier row had: the same id twice, or once in 2^64 two ids alike. */
  suspects: { row: number; earlier: number }[] = [];
  /** Open addressing over id hashes; entries are row + 1, 0 is free. */
  #table = new Uint32Array(0);

  /** Byte after the last record's newline: how much of the file the rows describe. */
  get end(): number {
    return this.count === 0 ? 0 : this.endOf(this.count - 1);
  }

  endOf(row: number): number {
    return (this.offset[row] ?? outOfRange()) + (this.length[row] ?? outOfRange()) + 1;
  }

  /** Makes room for this many rows in all, so that a file of known size is read without regrowing. */
  reserve(rows: number): void {
    if (rows <= this.offset.length) return;
    const capacity = Math.max(rows, 1024);
    const grown32 = (old: Uint32Array) => {
      const next = new Uint32Array(capacity);
      next.set(old);
      return next;
    };
    const grown64 = (old: Float64Array) => {
      const next = new Float64Array(capacity);
      next.set(old);
      return next;
    };
    this.offset = grown64(this.offset);
    this.value = grown64(this.value);
    this.length = grown32(this.length);
    this.crc = grown32(this.crc);
    this.epoch = grown32(this.epoch);
    this.tokens = grown32(this.tokens);
    this.idLow = grown32(this.idLow);
    this.idHigh = grown32(this.idHigh);
    this.familyLow = grown32(this.familyLow);
    this.familyHigh = grown32(this.familyHigh);
    this.taskLow = grown32(this.taskLow);
    this.taskHigh = grown32(this.taskHigh);
    this.flags = grown32(this.flags);
    const slots = 2 ** Math.ceil(Math.log2(capacity * 1.5));
    if (slots > this.#table.length) this.#rehash(slots);
  }

  push(row: RecordRow): void {
    const at = this.count;
    if (at === this.offset.length) this.reserve(Math.max(1024, at * 2));
    this.offset[at] = row.offset;
    this.value[at] = row.value;
    this.length[at] = row.length;
    this.crc[at] = row.crc;
    this.epoch[at] = row.epoch;
    this.tokens[at] = row.tokens ?? unknownTokens;
    this.idLow[at] = row.id.low;
    this.idHigh[at] = row.id.high;
    this.familyLow[at] = row.family.low;
    this.familyHigh[at] = row.family.high;
    this.taskLow[at] = row.task.low;
    this.taskHigh[at] = row.task.high;
    this.flags[at] = row.flags;
    this.count = at + 1;
    this.#file(at);
  }

  clear(): void {
    this.count = 0;
    this.suspects = [];
    this.#table.fill(0);
  }

  /** Rows whose id has this hash, oldest first; nearly always none or one. */
  rowsOf(id: Hash): number[] {
    const rows: number[] = [];
    const mask = this.#table.length - 1;
    if (mask < 0) return rows;
    for (let slot = id.low & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#table[slot] ?? outOfRange()) - 1;
      if (row === noRow) return rows;
      if (this.idLow[row] === id.low && this.idHigh[row] === id.high) rows.push(row);
    }
  }

  /** Rows [from, to) in the form of the index file. */
  encode(from: number, to: number): Uint8Array {
    const buffer = new ArrayBuffer((to - from) * rowBytes);
    const doubles = new Float64Array(buffer);
    const words = new Uint32Array(buffer);
    for (let row = from; row < to; row++) {
      const word = (row - from) * rowWords;
      doubles[word / 2] = this.offset[row] ?? outOfRange();
      doubles[word / 2 + 1] = this.value[row] ?? outOfRange();
      words[word + 4] = this.length[row] ?? outOfRange();
      words[word + 5] = this.crc[row] ?? outOfRange();
      words[word + 6] = this.epoch[row] ?? outOfRange();
      words[word + 7] = this.tokens[row] ?? outOfRange();
      words[word + 8] = this.idLow[row] ?? outOfRange();
      words[word + 9] = this.idHigh[row] ?? outOfRange();
      words[word + 10] = this.familyLow[row] ?? outOfRange();
      words[word + 11] = this.familyHigh[row] ?? outOfRange();
      words[word + 12] = this.taskLow[row] ?? outOfRange();
      words[word + 13] = this.taskHigh[row] ?? outOfRange();
      words[word + 14] = this.flags[row] ?? outOfRange();
      words[word + 15] = checkOf(words, word);
    }
    return new Uint8Array(buffer);
  }

  /**
   * Adds rows in the form of the index file, up to the first that is damaged, does not follow the row before it, or
   * ends beyond `fileEnd`. Returns the number of good rows.
   * @param bytes 8-byte aligned, at the start of its buffer
   */
  decode(bytes: Uint8Array, fileEnd: number): number {
    const rows = Math.floor(bytes.byteLength / rowBytes);
    const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, rows * (rowWords / 2));
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, rows * rowWords);
    let end = this.end;
    if (this.count + rows > this.offset.length) this.reserve(Math.max(this.count + rows, this.count * 2));
    for (let row = 0; row < rows; row++) {
      const word = row * rowWords;
      const offset = doubles[word / 2] ?? outOfRange();
      const length = words[word + 4] ?? outOfRange();
      if (words[word + 15] !== checkOf(words, word) || offset !== end || offset + length + 1 > fileEnd) return row;
      const at = this.count;
      this.offset[at] = offset;
      this.value[at] = doubles[word / 2 + 1] ?? outOfRange();
      this.length[at] = length;
      this.crc[at] = words[word + 5] ?? outOfRange();
      this.epoch[at] = words[word + 6] ?? outOfRange();
      this.tokens[at] = words[word + 7] ?? outOfRange();
      this.idLow[at] = words[word + 8] ?? outOfRange();
      this.idHigh[at] = words[word + 9] ?? outOfRange();
      this.familyLow[at] = words[word + 10] ?? outOfRange();
      this.familyHigh[at] = words[word + 11] ?? outOfRange();
      this.taskLow[at] = words[word + 12] ?? outOfRange();
      this.taskHigh[at] = words[word + 13] ?? outOfRange();
      this.flags[at] = words[word + 14] ?? outOfRange();
      this.count = at + 1;
      this.#file(at);
      end = offset + length + 1;
    }
    return rows;
  }

  #rehash(slots: number): void {
    this.#table = new Uint32Array(slots);
    const { suspects } = this;
    for (let row = 0; row < this.count; row++) this.#file(row);
    this.suspects = suspects;
  }

  #file(row: number): void {
    const mask = this.#table.length - 1;
    const low = this.idLow[row] ?? outOfRange();
    let slot = low & mask;
    for (let entry = this.#table[slot] ?? outOfRange(); entry !== 0; entry = this.#table[slot] ?? outOfRange()) {
      const earlier = entry - 1;
      if (this.idLow[earlier] === low && this.idHigh[earlier] === this.idHigh[row])
        this.suspects.push({ row, earlier });
      slot = (slot + 1) & mask;
    }
    this.#table[slot] = row + 1;
  }
}
