/** Where an epoch stood still: the journal tells how long, and only a gap between its phases has room for it. */
import type { Stretch } from '../../../engine/epochTime.ts';

/** Less than this is the clock's own inexactness. Milliseconds. */
const least = 500;

/**
 * A pause ends a phase and the resumed one begins anew, so it lies at the start of the longest gaps.
 * @param busy stretches in which a phase was at work
 * @param still milliseconds in which no process worked on the run
 * @returns in order; together as long as `still`, where the gaps have room
 */
export function standingStill(busy: readonly Stretch[], { from, to }: Stretch, still: number): Stretch[] {
  if (still < least) return [];
  const gaps: Stretch[] = [];
  let end = from;
  for (const one of [...busy, { from: to, to }].toSorted((a, b) => a.from - b.from)) {
    const start = Math.min(to, one.from);
    if (start > end) gaps.push({ from: end, to: start });
    end = Math.max(end, one.to);
  }
  const found: Stretch[] = [];
  let left = still;
  for (const gap of gaps.sort((a, b) => b.to - b.from - (a.to - a.from))) {
    if (left < least) break;
    const length = Math.min(left, gap.to - gap.from);
    found.push({ from: gap.from, to: gap.from + length });
    left -= length;
  }
  return found.sort((a, b) => a.from - b.from);
}
