/**
 * How much an epoch's tasks repeat each other: of each, the share |C|/B of the tasks that are in its cluster of alike texts.
 * As R-Zero's code has it (arXiv 2508.05004): distance 1 − BLEU, average linkage, clusters nearer than ½.
 */
import { averageLinkedSizes } from '../math/written/averageLinkage.ts';
import { bleu, gramsOf } from '../math/written/bleu.ts';

/** Clusters are sought among so many tasks at a time, in order: pairs grow with the square. */
const together = 256;
const nearest = 0.5;

/** @param texts in an order that does not depend on when each was written @returns shares in (0, 1], one a text */
export function clusterShares(texts: readonly string[]): number[] {
  const shares: number[] = [];
  for (let from = 0; from < texts.length; from += together) {
    const grams = texts.slice(from, from + together).map(gramsOf);
    const far = (a: number, b: number): number => {
      const [text, reference] = [grams[Math.min(a, b)], grams[Math.max(a, b)]];
      return text === undefined || reference === undefined ? 1 : 1 - bleu(text, reference);
    };
    for (const size of averageLinkedSizes(grams.length, far, nearest)) shares.push(size / grams.length);
  }
  return shares;
}
