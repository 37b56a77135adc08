/** Recorded epochs under other settings, beside the recorded outcome. Pure. */
import { scoreEpoch, type EpochScores, type ScoringSettings } from '../../src/engine/math/scoring.ts';
import { effectiveSampleSize } from '../../src/engine/math/curriculum.ts';
import type { FamilyColumns } from '../../src/shared/calibration/familyColumns.ts';
import type { EpochRow } from '../../src/shared/report/data.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

/** Means over epochs, weighted alike; counts are sums. */
export interface Outcome {
  families: number;
  familiesKept: number;
  inBand: number;
  /** Over epochs in which it is known; NaN where it is in none. */
  environmentReward: number;
  rewarded: number;
  effectiveSampleSize: number;
  /** Epochs with too few kept families for an update. */
  skipped: number;
}

/** A family whose weight in its epoch's update changes. */
export interface Shift {
  epoch: number;
  /** Its place among the epoch's families, and in the columns. */
  ordinal: number;
  family: number;
  before: number;
  after: number;
}

export interface Comparison {
  epochs: number;
  was: Outcome;
  would: Outcome;
  /** Largest changes of weight, largest first. */
  gainers: Shift[];
  losers: Shift[];
}

const listed = 5;

/** @param rows recorded epochs; those without families are left out. @param minFamilies fewest kept ones for an update. @param ownAlpha each epoch's own α in place of the one in `settings` */
export function compare(
  columns: FamilyColumns,
  rows: readonly EpochRow[],
  settings: ScoringSettings,
  minFamilies: number,
  ownAlpha = false,
): Comparison {
  const was = emptyOutcome();
  const would = emptyOutcome();
  const gains = new Largest();
  const losses = new Largest();
  let epochs = 0;
  for (const row of rows) {
    const scored = columns.epoch(row.epoch);
    if (scored === undefined || scored.to === scored.from) continue;
    epochs += 1;
    const recorded = recordedOutcome(columns, scored.from, scored.to, row);
    const again = scoreEpoch(columns, scored, ownAlpha ? { ...settings, alpha: row.curriculum.alpha } : settings);
    add(was, recorded, minFamilies);
    add(would, again, minFamilies);
    for (let ordinal = 0; ordinal < scored.to - scored.from; ordinal++) {
      const family = scored.from + ordinal;
      const [before, after] = [columns.weight[family] ?? outOfRange(), again.weight[ordinal] ?? outOfRange()];
      const change = after - before;
      // Weights of an epoch sum to 1: smaller differences are rounding.
      if (Math.abs(change) < 1e-9) continue;
      (change > 0 ? gains : losses).offer(Math.abs(change), { epoch: row.epoch, ordinal, family, before, after });
    }
  }
  for (const outcome of [was, would]) {
    outcome.inBand /= Math.max(1, epochs);
    outcome.environmentReward /= outcome.rewarded;
    outcome.effectiveSampleSize /= Math.max(1, epochs);
  }
  return { epochs, was, would, gainers: gains.items, losers: losses.items };
}

type Scored = Pick<EpochScores, 'families' | 'familiesKept' | 'inBand' | 'environmentReward' | 'effectiveSampleSize'>;

/** The recorded outcome, from the same columns that are scored again. */
function recordedOutcome(columns: FamilyColumns, from: number, to: number, row: EpochRow): Scored {
  let kept = 0;
  for (let family = from; family < to; family++) if ((columns.kept[family] ?? outOfRange()) > 0) kept += 1;
  return {
    families: to - from,
    familiesKept: kept,
    inBand: row.inBand ?? 0,
    environmentReward: row.environmentReward,
    effectiveSampleSize: row.effectiveSampleSize ?? effectiveSampleSize(columns.weight.subarray(from, to)),
  };
}

function add(sum: Outcome, one: Scored, minFamilies: number): void {
  sum.families += one.families;
  sum.familiesKept += one.familiesKept;
  sum.inBand += one.inBand;
  if (one.environmentReward !== null) {
    sum.environmentReward += one.environmentReward;
    sum.rewarded += 1;
  }
  sum.effectiveSampleSize += one.effectiveSampleSize;
  if (one.familiesKept < minFamilies) sum.skipped += 1;
}

const emptyOutcome = (): Outcome => ({
  families: 0,
  familiesKept: 0,
  inBand: 0,
  environmentReward: 0,
  rewarded: 0,
  effectiveSampleSize: 0,
  skipped: 0,
});

/** The few largest of very many, without sorting them all. */
class Largest {
  readonly items: Shift[] = [];
  readonly #sizes: number[] = [];

  offer(size: number, item: Shift): void {
    const worst = this.#sizes.at(-1) ?? -1;
    if (this.#sizes.length === listed && size <= worst) return;
    const at = this.#sizes.findIndex((known) => known < size);
    const place = at === -1 ? this.#sizes.length : at;
    this.#sizes.splice(place, 0, size);
    this.items.splice(place, 0, item);
    if (this.items.length <= listed) return;
    this.#sizes.pop();
    this.items.pop();
  }
}
