import { outOfRange } from '../../outOfRange.ts';

/** Edit distance with transpositions of neighbours (optimal string alignment), ignoring case. */
export function editDistance(a: string, b: string): number {
  const from = Array.from(a.toLowerCase());
  const to = Array.from(b.toLowerCase());
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      let best = Math.min(
        (previous[j] ?? outOfRange()) + 1,
        (row[j - 1] ?? outOfRange()) + 1,
        (previous[j - 1] ?? outOfRange()) + same,
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (older[j - 2] ?? outOfRange()) + 1);
      }
      row.push(best);
    }
    older = previous;
    previous = row;
  }
  return previous[to.length] ?? outOfRange();
}

/** The candidate that was probably meant: at most a third of the longer word away, or begun with; null when none is. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    if (distance < least && distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))) {
      best = candidate;
      least = distance;
    }
  }
  if (best !== null || word.length < 3) return best;
  return candidates.find((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase())) ?? null;
}
