/**
 * Which three letters stand next to each other in a stretch of records: a Bloom filter, so that a search reads only
 * stretches that may hold its words. It says "no" only where it is sure.
 */
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Bits of one filter; 4 kB. About 4,000 different trigrams make one question in twenty a wrong "perhaps". */
const bits = 2 ** 15;
export const filterBytes = bits / 8;

/** Characters that every JSON writer leaves unescaped, in lower case; 0 for all others. */
const folded = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code < 0x20 || code > 0x7e) return 0;
  const character = String.fromCharCode(code);
  return `"\\/<>&'`.includes(character) ? 0 : character.toLowerCase().charCodeAt(0);
});

const first = (trigram: number): number => Math.imul(trigram, 0x9e3779b1) >>> 17;
const second = (trigram: number): number => Math.imul(trigram ^ 0x5bd1e995, 0x85ebca6b) >>> 17;

/** Adds the trigrams of `text` [start, end), a JSON string's inside as latin1. */
export function addTrigrams(filter: Uint8Array, text: string, start: number, end: number): void {
  let trigram = 0;
  let run = 0;
  for (let at = start; at < end; at++) {
    const code = folded[text.charCodeAt(at)] ?? outOfRange();
    if (code === 0) {
      run = 0;
      continue;
    }
    trigram = ((trigram << 7) | code) & 0x1fffff;
    run += 1;
    if (run < 3) continue;
    const [one, other] = [first(trigram), second(trigram)];
    filter[one >>> 3] = (filter[one >>> 3] ?? outOfRange()) | (1 << (one & 7));
    filter[other >>> 3] = (filter[other >>> 3] ?? outOfRange()) | (1 << (other & 7));
  }
}

/** The trigrams that must be where all these words are. Few or none for short words and other scripts. */
export function trigramsOf(words: readonly string[]): number[] {
  const trigrams = new Set<number>();
  for (const plain of words.flatMap(plainRuns)) {
    for (let at = 0; at + 3 <= plain.length; at++) {
      let trigram = 0;
      for (let i = at; i < at + 3; i++) trigram = (trigram << 7) | (folded[plain.charCodeAt(i)] ?? outOfRange());
      trigrams.add(trigram);
    }
  }
  return [...trigrams];
}

/** Whether all these trigrams may be there. */
export const mayHold = (filter: Uint8Array, trigrams: readonly number[]): boolean =>
  trigrams.every((trigram) => has(filter, first(trigram)) && has(filter, second(trigram)));

const has = (filter: Uint8Array, bit: number): boolean =>
  ((filter[bit >>> 3] ?? outOfRange()) & (1 << (bit & 7))) !== 0;

/** Parts of a word that JSON never escapes. */
export const plainRuns = (word: string): string[] => word.split(/[^\x20-\x7e]|["\\/<>&']/).filter((run) => run !== '');
