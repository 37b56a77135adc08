/** How often each of some things was counted. */
export type Counts = ReadonlyMap<number, number>;

/**
 * Jensen–Shannon divergence of two distributions given by counts (Lin 1991), in bits: 0 for the same, 1 for nothing in
 * common. Finite counts of one distribution differ a little, the more the fewer they are.
 *
 * @returns null where one of them counted nothing
 */
export function jensenShannon(a: Counts, b: Counts): number | null {
  const [all, others] = [total(a), total(b)];
  if (all === 0 || others === 0) return null;
  let bits = 0;
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [p, q] = [(a.get(key) ?? 0) / all, (b.get(key) ?? 0) / others];
    const middle = (p + q) / 2;
    if (p > 0) bits += (p / 2) * Math.log2(p / middle);
    if (q > 0) bits += (q / 2) * Math.log2(q / middle);
  }
  return Math.min(1, Math.max(0, bits));
}

function total(counts: Counts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
