/** Rank correlation within groups: differences between groups, such as the difficulty of tasks, cannot cause it. */
import { outOfRange } from '../../shared/outOfRange.ts';

/** 97.5 % quantile of the normal distribution: two-sided 95 %. */
const z95 = 1.959963984540054;

export interface WithinRank {
  /** Spearman's ρ of mid-ranks centred in each group, pooled; null where nothing varies in any group. */
  rho: number | null;
  /** 95 % interval by linearisation over groups, [-1, 1]. */
  low: number;
  high: number;
  /** Standard deviations from none under permutations within groups (van Elteren, 1960, without weights). */
  z: number;
  /** Groups in which both vary, and their attempts. */
  groups: number;
  attempts: number;
}

/** Filled group by group. */
export class WithinGroups {
  #groups = 0;
  #attempts = 0;
  #s = 0;
  #xx = 0;
  #yy = 0;
  #variance = 0;
  /** Sums over groups of products of S, X and Y, for the interval. */
  readonly #products = { ss: 0, sx: 0, sy: 0, xx: 0, xy: 0, yy: 0 };

  /** @returns the group's own share of the covariance of ranks; 0 where it has no information */
  add(x: readonly number[], y: readonly number[]): number {
    const [ranksX, ranksY] = [midRanks(x), midRanks(y)];
    const middle = (x.length + 1) / 2;
    let [s, xx, yy] = [0, 0, 0];
    for (const [i, rank] of ranksX.entries()) {
      const [dx, dy] = [rank - middle, (ranksY[i] ?? middle) - middle];
      s += dx * dy;
      xx += dx * dx;
      yy += dy * dy;
    }
    if (xx === 0 || yy === 0) return 0;
    this.#groups += 1;
    this.#attempts += x.length;
    this.#s += s;
    this.#xx += xx;
    this.#yy += yy;
    this.#variance += (xx * yy) / (x.length - 1);
    const sums = this.#products;
    sums.ss += s * s;
    sums.sx += s * xx;
    sums.sy += s * yy;
    sums.xx += xx * xx;
    sums.xy += xx * yy;
    sums.yy += yy * yy;
    return s;
  }

  get result(): WithinRank {
    const counts = { groups: this.#groups, attempts: this.#attempts };
    if (this.#groups === 0) return { rho: null, low: -1, high: 1, z: 0, ...counts };
    const scale = Math.sqrt(this.#xx * this.#yy);
    const rho = this.#s / scale;
    // ρ moves with a group by (S − a·X − b·Y)/scale.
    const [a, b] = [(rho / 2) * Math.sqrt(this.#yy / this.#xx), (rho / 2) * Math.sqrt(this.#xx / this.#yy)];
    const { ss, sx, sy, xx, xy, yy } = this.#products;
    const spread = Math.max(0, ss + a * a * xx + b * b * yy - 2 * a * sx - 2 * b * sy + 2 * a * b * xy);
    const half = (z95 * Math.sqrt(spread)) / scale;
    const [low, high] = [Math.max(-1, rho - half), Math.min(1, rho + half)];
    return { rho, low, high, z: this.#s / Math.sqrt(this.#variance), ...counts };
  }
}

/** Ranks from 1; equal values share the mean of theirs. */
function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] ?? outOfRange()) - (values[j] ?? outOfRange()));
  const ranks: number[] = [];
  for (let from = 0; from < order.length;) {
    const value = values[order[from] ?? outOfRange()];
    let to = from + 1;
    while (to < order.length && values[order[to] ?? outOfRange()] === value) to += 1;
    for (const i of order.slice(from, to)) ranks[i] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}
