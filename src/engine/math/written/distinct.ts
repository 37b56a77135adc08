import { runsOf } from './shingles.ts';

/**
 * distinct-n of some texts together: different runs of n words over all of them (Li et al. 2016, arXiv 1510.03055). It
 * falls with the number and the length of the texts, so only batches of equal size are comparable. Runs are identified
 * by 32-bit hashes: among 10⁵ runs about one is taken for another.
 *
 * @param texts the word hashes of each
 * @returns 0…1; null where no text has n words
 */
export function distinct(texts: readonly (readonly number[])[], n: number): number | null {
  const different = new Set<number>();
  let all = 0;
  for (const words of texts) {
    for (const run of runsOf(words, n)) {
      different.add(run);
      all += 1;
    }
  }
  return all === 0 ? null : different.size / all;
}
