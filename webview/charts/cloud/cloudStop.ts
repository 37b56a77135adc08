/** Places in the cloud that can be read. Pure. */
import type { CloudIndex } from './cloudIndex.ts';
import type { Plane } from './cloudView.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** One family by its place in the index, or an epoch as a whole. */
export interface CloudStop {
  epoch: number;
  place: number | null;
}

/** Pixels that a pointer may miss a mark by. */
const reach = 9;

/** The family whose mark is nearest to a point; null when none is within reach. */
export function nearestFamily(index: CloudIndex, plane: Plane, x: number, y: number): CloudStop | null {
  const [first, end] = index.between(Math.floor(plane.epochAt(x - reach)), Math.ceil(plane.epochAt(x + reach)));
  let best: CloudStop | null = null;
  let nearest = reach;
  for (let i = first; i < end; i++) {
    const stretch = index.stretches[i];
    if (stretch === undefined) continue;
    const families = stretch.to - stretch.from;
    const slot = plane.spread(families) / families;
    // Families are sorted by p̂, so both coordinates narrow the same search.
    const rank = (px: number): number => Math.round((px - plane.familyX(stretch.epoch, 0, families)) / slot);
    const from = Math.max(stretch.from + rank(x - reach) - 1, index.placeOf(stretch, plane.rateAt(y + reach)));
    const to = Math.min(stretch.from + rank(x + reach) + 2, index.placeOf(stretch, plane.rateAt(y - reach) + 1e-6));
    for (let place = Math.max(stretch.from, from); place < Math.min(stretch.to, to); place++) {
      const dx = plane.familyX(stretch.epoch, place - stretch.from, families) - x;
      const away = Math.hypot(dx, plane.y(index.rate[place] ?? outOfRange()) - y);
      if (away > nearest) continue;
      nearest = away;
      best = { epoch: stretch.epoch, place };
    }
  }
  return best;
}
