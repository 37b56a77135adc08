/** The difference of two numbers: exact where both are whole, so that ids beyond 2^53 differ. */

/** Whole numbers of any size are a `bigint`, unless a double holds them. */
export type Exact = number | bigint;

const isWhole = (value: Exact): boolean => typeof value === 'bigint' || Number.isInteger(value);

/** Permitted differences. */
export interface Tolerance {
  /** How far a number may be off. */
  absolute: number;
  /** The same as a share of the gold; the wider of the two counts. */
  relative: number;
}

/**
 * |given − gold| ≤ max(absolute, relative·|gold|), with half a unit in the last place of what is rounded more: 0.1 + 0.2 is
 * 0.3 at a tolerance of 0. Of whole numbers the tolerance alone is: without one they are the same or not.
 */
export function isNear(given: Exact, gold: Exact, { absolute, relative }: Tolerance): boolean {
  const whole = isWhole(given) && isWhole(gold);
  const off = whole ? difference(BigInt(given), BigInt(gold)) : Math.abs(Number(given) - Number(gold));
  if (off === 0 || !Number.isFinite(off)) return off === 0;
  const size = Math.abs(Number(gold));
  const room = Math.max(absolute, relative === 0 ? 0 : relative * size);
  return off <= room + Number.EPSILON * (whole ? room : size);
}

function difference(a: bigint, b: bigint): number {
  return Number(a > b ? a - b : b - a);
}
