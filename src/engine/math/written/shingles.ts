/** Near-duplicates of texts: word shingles, their overlap, and sketches by which texts alike find each other. */
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Words in a shingle. */
const width = 3;

const word = /[\p{L}\p{N}]+/gu;

/** 32-bit hashes of every run of three words, case and punctuation aside; of a shorter text, of all its words. */
export const shinglesOf = (text: string): Set<number> => shinglesIn(wordHashes(text));

/** The same of a text's word hashes. */
export const shinglesIn = (words: readonly number[]): Set<number> =>
  new Set(runsOf(words, Math.min(width, words.length)));

/** A 32-bit hash a word, in order, ignoring case and punctuation: equal words have equal hashes. */
export const wordHashes = (text: string): number[] => (text.toLowerCase().match(word) ?? []).map(hashOf);

/** 32-bit hashes of every run of `length` words; of fewer words, none. Length 0: one hash, of nothing. */
export function* runsOf(words: readonly number[], length: number): Generator<number> {
  const last = length === 0 ? 1 : words.length - length + 1;
  for (let at = 0; at < last; at++) {
    let hash = 0x811c9dc5;
    for (let i = at; i < at + length; i++) hash = mix(Math.imul(hash ^ (words[i] ?? outOfRange()), 0x01000193));
    yield hash >>> 0;
  }
}

/** Jaccard similarity of two texts' shingles, 0…1. */
export function overlap(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let both = 0;
  for (const shingle of a) if (b.has(shingle)) both += 1;
  return both / (a.size + b.size - both);
}

/** Bands of a sketch, and the minima in a band. */
export const bands = 3;
const rows = 3;

/**
 * MinHash bands: two texts of overlap J share at least one of the 3 with probability 1 − (1 − J³)³, which is 0.98 at
 * 0.9, 0.88 at 0.8 and 0.02 at 0.2. Texts that share one are compared by `overlap`.
 */
export function sketchOf(shingles: ReadonlySet<number>): Uint32Array {
  const minima = new Uint32Array(bands * rows).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let i = 0; i < minima.length; i++) {
      const hash = mix(Math.imul(shingle ^ Math.imul(i + 1, 0x9e3779b1), 0x85ebca6b)) >>> 0;
      if (hash < (minima[i] ?? outOfRange())) minima[i] = hash;
    }
  }
  const sketch = new Uint32Array(bands);
  for (const [i, minimum] of minima.entries()) {
    const band = Math.floor(i / rows);
    sketch[band] = mix(Math.imul((sketch[band] ?? outOfRange()) ^ minimum, 0xc2b2ae35)) >>> 0;
  }
  return sketch;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

function mix(hash: number): number {
  const one = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const two = Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return two ^ (two >>> 16);
}
