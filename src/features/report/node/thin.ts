/** Thinning for runs too big to draw whole: even, deterministic, and keeping outliers. */
import type { FamilyPoint } from '../../../shared/report/data.ts';

/** At most about `limit` of the epochs, evenly spaced; the first, the last and those in `always` stay. */
export function thinEpochs(epochs: readonly number[], limit: number, always: ReadonlySet<number>): number[] {
  if (epochs.length <= limit) return [...epochs];
  const stride = Math.ceil(epochs.length / Math.max(1, limit));
  return epochs.filter((epoch, i) => i % stride === 0 || i === epochs.length - 1 || always.has(epoch));
}

/**
 * At most `limit` points. Every epoch gives the same share of its own; within an epoch points are taken evenly along
 * p̂, its hardest and easiest family among them, so that the visible spread is the true one.
 */
export function thinFamilies(points: readonly FamilyPoint[], limit: number): FamilyPoint[] {
  if (points.length <= limit) return [...points];
  const share = limit / points.length;
  const byEpoch = Map.groupBy(points, ({ epoch }) => epoch);
  return [...byEpoch.values()].flatMap((own) => evenly(sortedByRate(own), Math.max(1, Math.floor(own.length * share))));
}

/** `count` items at even distances, both ends among them when there are at least two. */
export function evenly<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  if (count === 1) return items.slice(items.length >> 1, (items.length >> 1) + 1);
  return Array.from({ length: count }, (_, i) => Math.round((i * (items.length - 1)) / (count - 1))).flatMap(
    (index) => items[index] ?? [],
  );
}

const sortedByRate = (points: readonly FamilyPoint[]): FamilyPoint[] =>
  [...points].sort((a, b) => a.p - b.p || a.id.localeCompare(b.id));
