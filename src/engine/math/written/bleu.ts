/** Sentence BLEU over words (Papineni et al., 2002), smoothed as NLTK's `method1`: no n-gram in common counts as 0.1 of one. */

const longest = 4;
const smallest = 0.1;

/** A text's n-grams, counted; made once for many comparisons. */
export interface Grams {
  words: number;
  /** By n − 1. */
  counts: readonly ReadonlyMap<string, number>[];
}

/** Words are separated by white space, as in R-Zero's code. */
export function gramsOf(text: string): Grams {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const counts = Array.from({ length: longest }, (_, i) => {
    const own = new Map<string, number>();
    for (let at = 0; at + i < words.length; at++) {
      const gram = words.slice(at, at + i + 1).join(' ');
      own.set(gram, (own.get(gram) ?? 0) + 1);
    }
    return own;
  });
  return { words: words.length, counts };
}

/** BLEU-4 of a text against one reference, 0…1: uniform weights, brevity penalty. */
export function bleu(text: Grams, reference: Grams): number {
  let logs = 0;
  for (let n = 1; n <= longest; n++) {
    const matches = shared(text.counts[n - 1], reference.counts[n - 1]);
    if (n === 1 && matches === 0) return 0;
    // Texts shorter than n words have one n-gram that nothing matches, as in NLTK.
    const all = Math.max(1, text.words - n + 1);
    logs += Math.log((matches === 0 ? smallest : matches) / all) / longest;
  }
  const brevity = text.words >= reference.words ? 1 : Math.exp(1 - reference.words / text.words);
  return brevity * Math.exp(logs);
}

function shared(a: ReadonlyMap<string, number> | undefined, b: ReadonlyMap<string, number> | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let matches = 0;
  for (const [gram, count] of a) matches += Math.min(count, b.get(gram) ?? 0);
  return matches;
}
