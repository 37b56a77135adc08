/**
 * How much an epoch's tasks repeat each other: of each, the share |C|/B of the tasks that are in its cluster of alike texts.
 * As R-Zero's code has it (arXiv 2508.05004): distance 1 − BLEU, average linkage, clusters nearer than ½.
 */
import { averageLinkedSizes } from '../math/written/averageLinkage.ts';
import { bleu, gramsOf } from '../math/written/bleu.ts';

/** Clusters are sought among so many tasks at a time at most, in order: pairs grow with the square. */
const together = 256;
const nearest = 0.5;

/** @param texts in an order that does not depend on when each was written @returns shares in (0, 1], one a text */
export function clusterShares(texts: readonly string[]): number[] {
  const shares: number[] = [];
  // Of about equal size: one task alone would be its own cluster, and all of its part.
  const parts = Math.ceil(texts.length / together);
  for (let part = 0; part < parts; part++) {
    const end = (at: number): number => Math.round((at * texts.length) / parts);
    const grams = texts.slice(end(part), end(part + 1)).map(gramsOf);
    const far = (a: number, b: number): number => {
      const [text, reference] = [grams[Math.min(a, b)], grams[Math.max(a, b)]];
      return text === undefined || reference === undefined ? 1 : 1 - bleu(text, reference);
    };
    for (const size of averageLinkedSizes(grams.length, far, nearest)) shares.push(size / grams.length);
  }
  return shares;
}
