/** The outline of a course of more epochs than a drawing has room for: its peaks stay. Pure. */

/** More places along an axis than this cannot be told apart. */
const mostPlaces = 300;

/**
 * Epochs that share a place. A power of two, and places are counted from epoch 0: while a run grows they stay or join in
 * pairs, so that no peak comes and goes.
 */
export function epochsAPlace(epochs: readonly number[]): number {
  const span = (epochs.at(-1) ?? 0) - (epochs[0] ?? 0) + 1;
  let share = 1;
  if (epochs.length > 2 * mostPlaces) while (span / share > mostPlaces) share *= 2;
  return share;
}

/** Neighbours by place, in their order. */
export function byPlace<T>(items: readonly T[], epochOf: (item: T) => number): T[][] {
  const share = epochsAPlace(items.map(epochOf));
  if (share === 1) return items.map((item) => [item]);
  return [...Map.groupBy(items, (item) => Math.floor(epochOf(item) / share)).values()];
}

/** The first, the last, and of each place the lowest and the highest by each of `heights`. */
export function outline<T>(
  items: readonly T[],
  epochOf: (item: T) => number,
  ...heights: readonly ((item: T) => number)[]
): T[] {
  const places = byPlace(items, epochOf);
  if (places.length === items.length) return [...items];
  const kept = new Set([...items.slice(0, 1), ...items.slice(-1)]);
  for (const place of places) {
    for (const height of heights) {
      kept.add(place.reduce((a, b) => (height(b) < height(a) ? b : a)));
      kept.add(place.reduce((a, b) => (height(b) > height(a) ? b : a)));
    }
  }
  return items.filter((item) => kept.has(item));
}
