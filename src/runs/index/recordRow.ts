/**
 * One row of the index and its layout in `index/*.bin`: a 64-byte header, then one 64-byte row a record, in the
 * machine's byte order. A row ends in a check word over the rest of it, which reveals a torn, zeroed or flipped row;
 * rows up to the first bad one stay good. The index is a cache: the records are the truth.
 */
import { outOfRange } from '../../shared/outOfRange.ts';

/** Bytes of a row, and of the header. */
export const rowBytes = 64;
export const rowWords = rowBytes / 4;

/** Bump when a field changes meaning: older indexes are then rebuilt. */
const layoutVersion = 2;
/** Reads differently on a machine of the other byte order, where the index is rebuilt. */
const magic = 0x47454e56;

/** In the place of a number of tokens that is not known. */
export const unknownTokens = 2 ** 32 - 1;

export interface RecordRow {
  /** Where the line starts, in bytes. */
  offset: number;
  /** Bytes of the line without its newline. */
  length: number;
  /** CRC-32 of those bytes: a range read that does not match means the file was changed behind the index. */
  crc: number;
  epoch: number;
  id: Hash;
  family: Hash;
  /** Traces: the task attempted. Tasks: the seed task varied. */
  task: Hash;
  /** Traces: the shaped reward. Tasks: 0. */
  value: number;
  /** Traces: sampled tokens. Tasks: generated tokens. Null where nothing counted them. */
  tokens: number | null;
  /** Bits, by kind of record: `traceFlags`, `taskFlags`. */
  flags: number;
}

/** 64 bits of a string. */
export interface Hash {
  low: number;
  high: number;
}

/** Two FNV-like passes with a final mix; on equal hashes of different ids the records decide. */
export function hashOf(text: string): Hash {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b) ^ (high >>> 13);
  }
  return { low: mix(low ^ (high >>> 15)), high: mix(high + text.length) };
}

function mix(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Check word over the first 15 words of the row that starts at `word`. */
export function checkOf(words: Uint32Array, word: number): number {
  let check = magic;
  for (let i = word; i < word + rowWords - 1; i++)
    check = Math.imul(check ^ (words[i] ?? outOfRange()), 0x9e3779b1) ^ (check >>> 15);
  return check >>> 0;
}

export function headerOf(kind: number): Uint8Array {
  const words = new Uint32Array(rowWords);
  words.set([magic, layoutVersion, rowBytes, kind]);
  words[rowWords - 1] = checkOf(words, 0);
  return new Uint8Array(words.buffer);
}

export function isHeader(bytes: Uint8Array, kind: number): boolean {
  return Buffer.from(headerOf(kind)).equals(bytes.subarray(0, rowBytes));
}
