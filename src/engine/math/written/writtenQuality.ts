/**
 * How diverse the tasks are that were written in one epoch, how far from their seeds, and whether they drift: without a
 * model, by words alone. Paraphrases count as different.
 */
import type { WrittenQuality } from '../../../shared/journal/quality.ts';
import { distinct } from './distinct.ts';
import { jensenShannon, type Counts } from '../divergence.ts';
import { linkedSizes } from './linkage.ts';
import { Overlaps } from './overlaps.ts';
import { shinglesIn, wordHashes } from './shingles.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/**
 * Number of an epoch's tasks that are compared, drawn at random: shares have a standard error of at most 0.03 for any
 * epoch.
 */
export const compared = 256;
/** Shared word triples, of all of two texts, from which on they are of one cluster. */
const clusterOverlap = 0.5;
/** Characters of a text that are read. */
const longest = 1024;

/** The words of a text for the comparison. */
export type ComparedText = readonly number[];

export const comparedText = (text: string): ComparedText => wordHashes(text.slice(0, longest));

/** How often each word occurs in some texts. */
export function wordCounts(texts: readonly ComparedText[]): Counts {
  const counts = new Map<number, number>();
  for (const text of texts) for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** A task beside the seed that it was written from; one seed is one object. */
export interface TextAndSeed {
  text: ComparedText;
  seed: ComparedText;
}

/** Word counts of the epochs that this one is compared with; null where there is none. */
export interface Earlier {
  first: Counts | null;
  previous: Counts | null;
}

/** O(tasks²) in at most `compared` tasks. @returns null of fewer than two tasks, or where words say nothing */
export function writtenQuality(tasks: readonly TextAndSeed[], { first, previous }: Earlier): WrittenQuality | null {
  const texts = tasks.map(({ text }) => text);
  const n = texts.length;
  if (n < 2 || texts.every(({ length }) => length === 0)) return null;
  const seeds = [...new Set(tasks.map(({ seed }) => seed))];
  const overlaps = new Overlaps(withoutFrame(texts.map(shinglesIn), seeds.map(shinglesIn)));
  const seedOf = tasks.map(({ seed }) => n + seeds.indexOf(seed));
  const largest = (members: readonly number[]): { count: number; share: number } => {
    const sizes = linkedSizes(
      n,
      (a, b) => overlaps.of(members[a] ?? outOfRange(), members[b] ?? outOfRange()) >= clusterOverlap,
    );
    return { count: sizes.length, share: rounded((sizes[0] ?? outOfRange()) / n) };
  };
  const clusters = largest(tasks.map((_, i) => i));
  const counts = wordCounts(texts);
  const drift = (before: Counts | null): number | null =>
    before === null ? null : roundedOrNull(jensenShannon(before, counts));
  return {
    tasks: n,
    distinct: [1, 2, 3, 4].map((length) => roundedOrNull(distinct(texts, length))),
    similarity: similarity(n, overlaps),
    clusters: { count: clusters.count, largest: clusters.share, seeds: largest(seedOf).share },
    seedDistance: {
      own: rounded(mean(seedOf.map((seed, i) => 1 - overlaps.of(i, seed)))),
      nearest: rounded(mean(tasks.map((_, i) => nearestSeed(i, n, seeds.length, overlaps)))),
    },
    drift: { first: drift(first), previous: drift(previous) },
  };
}

/**
 * Tasks, then seeds, without the shingles of more than half of the seeds: a domain's common wording distinguishes no
 * task. A single seed has no frame.
 */
function withoutFrame(tasks: readonly Set<number>[], seeds: readonly Set<number>[]): Set<number>[] {
  const held = new Map<number, number>();
  if (seeds.length > 1) for (const seed of seeds) for (const hash of seed) held.set(hash, (held.get(hash) ?? 0) + 1);
  const frame = new Set([...held].filter(([, times]) => times > seeds.length / 2).map(([hash]) => hash));
  return [...tasks, ...seeds].map((hashes) => new Set([...hashes].filter((hash) => !frame.has(hash))));
}

/** Mean over all pairs of the first `n`; mean over these of the overlap with the one that is most alike. */
function similarity(n: number, overlaps: Overlaps): WrittenQuality['similarity'] {
  const nearest = new Float64Array(n);
  let sum = 0;
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < a; b++) {
      const share = overlaps.of(a, b);
      nearest[a] = Math.max(nearest[a] ?? outOfRange(), share);
      nearest[b] = Math.max(nearest[b] ?? outOfRange(), share);
      sum += share;
    }
  }
  return { mean: rounded(sum / ((n * (n - 1)) / 2)), nearest: rounded(mean([...nearest])) };
}

function nearestSeed(task: number, first: number, seeds: number, overlaps: Overlaps): number {
  let least = 1;
  for (let seed = first; seed < first + seeds; seed++) least = Math.min(least, 1 - overlaps.of(task, seed));
  return least;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Six digits: logarithms may differ in their last bit between engines. */
const rounded = (value: number): number => Number(value.toPrecision(6));
const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));
