/**
 * Average-linkage clusters (UPGMA): the two nearest clusters become one while their mean distance is below a threshold.
 * Nearest-neighbour chains, O(members²) time and memory.
 *
 * @param distance symmetric
 * @returns of each member, how many members its cluster has
 */
import { outOfRange } from '../../../shared/outOfRange.ts';

export function averageLinkedSizes(
  members: number,
  distance: (a: number, b: number) => number,
  threshold: number,
): number[] {
  const between = distances(members, distance);
  const sizes = new Float64Array(members).fill(1);
  const alive = new Set(Array.from({ length: members }, (_, i) => i));
  const clusters = Array.from({ length: members }, (_, i) => [i]);
  const near = (a: number, b: number): number => between[a * members + b] ?? Infinity;
  const chain: number[] = [];
  // Clusters whose nearest is too far stay as they are: average linkage never brings clusters closer by merging others.
  const settled: number[][] = [];
  while (alive.size > 0) {
    const [start] = alive;
    if (chain.length === 0 && start !== undefined) chain.push(start);
    const tip = chain.at(-1);
    if (tip === undefined) break;
    const previous = chain.at(-2);
    let [best, least] = [previous, previous === undefined ? Infinity : near(tip, previous)];
    for (const other of alive) {
      if (other !== tip && near(tip, other) < least) [best, least] = [other, near(tip, other)];
    }
    if (best === undefined || least >= threshold) {
      alive.delete(tip);
      settled.push(clusters[tip] ?? []);
      chain.pop();
      continue;
    }
    if (best !== previous) {
      chain.push(best);
      continue;
    }
    chain.length -= 2;
    const [left, right] = [sizes[best] ?? outOfRange(), sizes[tip] ?? outOfRange()];
    for (const other of alive) {
      const mean = (left * near(best, other) + right * near(tip, other)) / (left + right);
      between[best * members + other] = mean;
      between[other * members + best] = mean;
    }
    sizes[best] = left + right;
    clusters[best] = [...(clusters[best] ?? []), ...(clusters[tip] ?? [])];
    alive.delete(tip);
  }
  const found = new Array<number>(members).fill(1);
  for (const cluster of settled) for (const member of cluster) found[member] = cluster.length;
  return found;
}

function distances(members: number, distance: (a: number, b: number) => number): Float64Array {
  const between = new Float64Array(members * members);
  for (let a = 1; a < members; a++) {
    for (let b = 0; b < a; b++) {
      const far = distance(a, b);
      between[a * members + b] = far;
      between[b * members + a] = far;
    }
  }
  return between;
}
