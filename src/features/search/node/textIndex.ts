/**
 * The text index of one file of records: a filter for each block of them (`textFilter.ts`), one after the other in
 * `index/*.text.bin`. A block made of other records, or damaged by disk or crash, is detected and ignored. Its content
 * depends on the records alone, so that two concurrent writers write the same.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { codeOf } from '../../../shared/systemError.ts';
import { readError } from '../../../runs/files/fileErrors.ts';
import type { IndexRows } from '../../../runs/index/indexRows.ts';
import { filterBytes, mayHold } from './textFilter.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const headWords = 8;
export const entryBytes = headWords * 4 + filterBytes;
/** "GETX" and the layout's version. */
const magic = 0x47455458;
const layoutVersion = 1;
/** Entries read together: about a megabyte. */
const batch = 256;

/** A block of rows [first, first + count) and the filter of its text. */
export interface TextBlock {
  first: number;
  count: number;
  /** `IndexRows.recordsCheck` of its rows. */
  recordsCheck: number;
  filter: Uint8Array;
}

export function encodeBlock({ first, count, recordsCheck, filter }: TextBlock): Uint8Array {
  const bytes = new Uint8Array(entryBytes);
  const head = new Uint32Array(bytes.buffer, 0, headWords);
  bytes.set(filter, headWords * 4);
  head.set([magic, layoutVersion, first, count, recordsCheck]);
  head[headWords - 1] = checkOf(bytes);
  return bytes;
}

/** A block's answer to a query for certain words. */
export interface AskedBlock extends Omit<TextBlock, 'filter'> {
  /** False where the words are surely not. */
  mayHold: boolean;
}

/** @param bytes 4-byte aligned in their buffer */
function decodeBlock(bytes: Uint8Array, trigrams: readonly number[]): AskedBlock | null {
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, headWords);
  const [mark, version, first = 0, count = 0, recordsCheck = 0] = head;
  if (mark !== magic || version !== layoutVersion || head[headWords - 1] !== checkOf(bytes)) return null;
  return { first, count, recordsCheck, mayHold: mayHold(bytes.subarray(headWords * 4), trigrams) };
}

/** Over everything but itself. */
const checkOf = (bytes: Uint8Array): number =>
  crc32(bytes.subarray(headWords * 4), crc32(bytes.subarray(0, (headWords - 1) * 4)));

/** Whether a block was made of exactly these records. @param rows contain the block's */
export function isOf({ first, count, recordsCheck }: AskedBlock, rows: IndexRows): boolean {
  const from = first - rows.first;
  return from >= 0 && from + count <= rows.count && rows.recordsCheck(from, from + count) === recordsCheck;
}

/** Reads blocks, the last ones first. */
export class TextIndex {
  readonly #handle: FileHandle | null;
  readonly #path: string;
  readonly #trigrams: readonly number[];
  /** Read into again and again: fresh memory for a whole index would cost more than its reading. */
  readonly #bytes = Buffer.allocUnsafeSlow(batch * entryBytes);
  /** Blocks not read yet. */
  #left: number;
  #batch: (AskedBlock | null)[] = [];
  /** First of the rows in the last request. */
  #reached = Infinity;

  private constructor(handle: FileHandle | null, path: string, trigrams: readonly number[], blocks: number) {
    this.#handle = handle;
    this.#path = path;
    this.#trigrams = trigrams;
    this.#left = blocks;
  }

  /** One that is missing has no blocks. @param trigrams of the words looked for @throws RunError `unreadable` */
  static async open(path: string, trigrams: readonly number[]): Promise<TextIndex> {
    try {
      const handle = await open(path, 'r');
      return new TextIndex(handle, path, trigrams, Math.floor((await handle.stat()).size / entryBytes));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return new TextIndex(null, path, trigrams, 0);
      throw readError(error, path);
    }
  }

  /** Good blocks of these rows; requests go from the last rows to the first, and may skip some. */
  async of(rows: IndexRows): Promise<AskedBlock[]> {
    const found: AskedBlock[] = [];
    const end = rows.first + rows.count;
    if (end < this.#reached) {
      this.#left += this.#batch.length;
      this.#batch = [];
      this.#left = await this.#countBefore(end);
    }
    this.#reached = rows.first;
    for (;;) {
      if (this.#batch.length === 0 && !(await this.#read())) return found;
      const block = this.#batch.at(-1) ?? null;
      if (block !== null && block.first < rows.first) return found;
      this.#batch.pop();
      if (block !== null && isOf(block, rows)) found.push(block);
    }
  }

  /** Every block in order, damaged ones null; not beside `of`. */
  async *all(): AsyncGenerator<AskedBlock | null> {
    const blocks = this.#left;
    for (let from = 0; from < blocks; from += batch) yield* await this.#range(from, Math.min(blocks, from + batch));
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #read(): Promise<boolean> {
    if (this.#left === 0) return false;
    const from = Math.max(0, this.#left - batch);
    this.#batch = await this.#range(from, this.#left);
    this.#left = from;
    return true;
  }

  /** How many blocks begin before a row. */
  async #countBefore(row: number): Promise<number> {
    let [low, high] = [0, this.#left];
    while (low < high) {
      const middle = (low + high) >>> 1;
      await this.#fill(middle * entryBytes, headWords * 4);
      if ((new Uint32Array(this.#bytes.buffer, 0, headWords)[2] ?? outOfRange()) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The part that the file does not have keeps its old bytes: no block of this place. */
  async #fill(start: number, length: number): Promise<void> {
    try {
      await this.#handle?.read(this.#bytes, 0, length, start);
    } catch (error) {
      throw readError(error, this.#path);
    }
  }

  async #range(from: number, to: number): Promise<(AskedBlock | null)[]> {
    await this.#fill(from * entryBytes, (to - from) * entryBytes);
    return Array.from({ length: to - from }, (_, i) =>
      decodeBlock(this.#bytes.subarray(i * entryBytes, (i + 1) * entryBytes), this.#trigrams),
    );
  }
}
