import type { Rng } from '../random.ts';

/**
 * `count` draws with replacement, each item as often as its weight's share of them, rounded up or down: one random
 * number decides all (systematic resampling), so that expected counts are exact and vary as little as they can. In the
 * items' order; none where all weights are 0.
 */
export function resample<T extends { weight: number }>(
  items: readonly T[],
  count: number,
  rng: Pick<Rng, 'next'>,
): T[] {
  const last = items.findLast(({ weight }) => weight > 0);
  if (last === undefined) return [];
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  const offset = rng.next();
  const drawn: T[] = [];
  let reached = 0;
  for (const item of items) {
    reached += (item.weight / total) * count;
    while (drawn.length < count && drawn.length + offset < reached) drawn.push(item);
  }
  // Rounding may leave the sum just short of the last draw.
  if (drawn.length < count) drawn.push(last);
  return drawn;
}
