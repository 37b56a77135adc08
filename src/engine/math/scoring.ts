/**
 * Scoring of one epoch (Eq. 2, Eq. 3, §2.2.2, §2.4), over columns: counts of tasks in, rewards and weights out. Used by
 * the loop and by previews of other settings: fast enough for a slider over 100,000 families.
 */
import type { ScoredEpoch } from '../../shared/calibration/familyColumns.ts';
import { rewardKind, taskReward } from '../rewardKinds/kinds.ts';
import type { RewardSettings, TaskMeasure } from '../rewardKinds/reward.ts';
import { bestWeights, effectiveSampleSize, inBand, keepShare, regressionWeights } from './curriculum.ts';
import { estimateOf } from './successRate.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

export interface ScoringSettings extends RewardSettings {
  lambda: number;
  /** Of update `rejection`: the share of kept texts that it learns, all alike. */
  keepBest?: number | undefined;
}

/** Each kept unit's share of the environment's update. */
export const updateWeights = (
  units: readonly { reward: number; keep: number }[],
  { lambda, keepBest }: Pick<ScoringSettings, 'lambda' | 'keepBest'>,
): number[] => (keepBest === undefined ? regressionWeights(units, lambda) : bestWeights(units, keepBest));

/** Judged attempts of families, one entry a family or a task. */
export interface FamilyCounts {
  successes: ArrayLike<number>;
  attempts: ArrayLike<number>;
  /** Where a family's tasks begin; one entry more than there are families. */
  taskFrom: ArrayLike<number>;
  taskSuccesses: ArrayLike<number>;
  taskAttempts: ArrayLike<number>;
  /** The reward's measurement beside the counts, under the kind `signalOf`; NaN for none. */
  taskSignals: ArrayLike<number>;
}

/** Its families are the entries from `from` to `to`; the filter as it is applied. */
type HowScored = Omit<ScoredEpoch, 'epoch'>;

export interface EpochScores {
  /**
   * By family of the epoch, in order: means over its tasks of the deciding p̂, R_env and the share that is kept. R_env is over
   * the tasks of which it is known, NaN where it is known of none.
   */
  estimate: Float64Array;
  reward: Float64Array;
  kept: Float64Array;
  /** Sum of its tasks' weights. */
  weight: Float64Array;
  /** By task of the epoch, in order; weights sum to 1 when any is kept. */
  tasks: readonly TaskScore[];
  taskWeight: readonly number[];
  /** Families, and those of them that the filter keeps, in whole or in part. */
  families: number;
  familiesKept: number;
  /** Share of families with |p̂ − α| ≤ k_min. */
  inBand: number;
  /** Mean R_env over the families of which it is known; null where it is known of none. */
  environmentReward: number | null;
  effectiveSampleSize: number;
}

/** The p̂ that decides for a task, or its estimate; R_env, 0 where it is not known; and the share that the filter keeps. */
interface TaskScore {
  estimate: number;
  reward: number;
  known: boolean;
  keep: number;
}

export function scoreEpoch(counts: FamilyCounts, how: HowScored, settings: ScoringSettings): EpochScores {
  const { from, to } = how;
  const units = unitsOf(counts, how, settings);
  const taskWeight = updateWeights(units, settings);
  const families = to - from;
  const estimate = new Float64Array(families);
  const reward = new Float64Array(families);
  const kept = new Float64Array(families);
  const weight = new Float64Array(families);
  const first = counts.taskFrom[from] ?? outOfRange();
  let [familiesKept, inside, rewards, rewarded] = [0, 0, 0, 0];
  for (let family = 0; family < families; family++) {
    const start = (counts.taskFrom[from + family] ?? outOfRange()) - first;
    const end = (counts.taskFrom[from + family + 1] ?? outOfRange()) - first;
    let [estimates, earned, known, keeps, weights] = [0, 0, 0, 0, 0];
    for (let task = start; task < end; task++) {
      const unit = units[task];
      if (unit === undefined) continue;
      estimates += unit.estimate;
      if (unit.known) {
        earned += unit.reward;
        known += 1;
      }
      keeps += unit.keep;
      weights += taskWeight[task] ?? outOfRange();
    }
    const tasks = Math.max(1, end - start);
    estimate[family] = estimates / tasks;
    reward[family] = earned / known;
    kept[family] = keeps / tasks;
    weight[family] = weights;
    if (known > 0) {
      rewards += earned / known;
      rewarded += 1;
    }
    if (keeps > 0) familiesKept += 1;
    const [k, n] = [counts.successes[from + family] ?? outOfRange(), counts.attempts[from + family] ?? outOfRange()];
    // 0/0 lies in no band.
    if (inBand(k / n, settings)) inside += 1;
  }
  return {
    ...{ estimate, reward, kept, weight, tasks: units, taskWeight, families, familiesKept },
    inBand: families === 0 ? 0 : inside / families,
    environmentReward: rewarded === 0 ? null : rewards / rewarded,
    effectiveSampleSize: effectiveSampleSize(weight),
  };
}

/**
 * The units that decide for each task of the epoch. Tasks with equal counts share one object: there are few different
 * counts.
 */
function unitsOf(counts: FamilyCounts, how: HowScored, settings: ScoringSettings): TaskScore[] {
  const { from, to, scope, estimate, filter } = how;
  const { taskFrom, taskSuccesses, taskAttempts, successes, attempts } = counts;
  const kind = rewardKind(settings);
  const ownRewards = kind.of === 'rate' ? null : rewardsByTask(counts, how, settings);
  const made: TaskScore[][] = [];
  const judged = (k: number, n: number): TaskScore => {
    const unit = made[n]?.[k];
    if (unit !== undefined) return unit;
    const p = estimateOf(k, n, estimate);
    const known = n > 0;
    const reward = known && kind.of === 'rate' ? kind.reward(p, settings) : 0;
    const one = { estimate: p, reward, known, keep: keepShare(p, filter, settings) };
    (made[n] ??= [])[k] = one;
    return one;
  };
  let [allSuccesses, allAttempts] = [0, 0];
  for (let family = from; family < to; family++) {
    allSuccesses += successes[family] ?? outOfRange();
    allAttempts += attempts[family] ?? outOfRange();
  }
  const units: TaskScore[] = [];
  for (let family = from; family < to; family++) {
    const end = taskFrom[family + 1] ?? outOfRange();
    const pooled =
      scope === 'epoch'
        ? judged(allSuccesses, allAttempts)
        : judged(successes[family] ?? outOfRange(), attempts[family] ?? outOfRange());
    for (let task = taskFrom[family] ?? outOfRange(); task < end; task++) {
      const n = taskAttempts[task] ?? outOfRange();
      const unit = scope === 'task' ? judged(taskSuccesses[task] ?? outOfRange(), n) : pooled;
      if (ownRewards !== null) {
        const reward = ownRewards[units.length] ?? null;
        const known = reward !== null;
        units.push({ ...unit, reward: reward ?? 0, known, keep: n === 0 || !known ? 0 : unit.keep });
      } else {
        // A task without attempts earns its scope's reward, but is never kept.
        units.push(n === 0 ? { ...unit, keep: 0 } : unit);
      }
    }
  }
  return units;
}

/** Rewards that are measured task by task, averaged over the scope; null where nothing in it could be measured. */
function rewardsByTask(counts: FamilyCounts, how: HowScored, settings: ScoringSettings): (number | null)[] {
  const { from, to, scope } = how;
  const { taskFrom, taskSuccesses, taskAttempts, taskSignals } = counts;
  // Another kind's measurement does not apply.
  const signals = how.signalOf === (settings.reward?.kind ?? 'kernel');
  const rewards: (number | null)[] = [];
  const measure: TaskMeasure = { successes: 0, attempts: 0, signal: null };
  const first = taskFrom[from] ?? outOfRange();
  for (let task = first; task < (taskFrom[to] ?? outOfRange()); task++) {
    const signal = signals ? (taskSignals[task] ?? NaN) : NaN;
    measure.successes = taskSuccesses[task] ?? outOfRange();
    measure.attempts = taskAttempts[task] ?? outOfRange();
    measure.signal = Number.isNaN(signal) ? null : signal;
    rewards.push(taskReward(measure, settings));
  }
  if (scope === 'task') return rewards;
  const pool = (start: number, end: number): void => {
    const mean = meanKnown(rewards, start, end);
    rewards.fill(mean, start, end);
  };
  if (scope === 'epoch') pool(0, rewards.length);
  else {
    for (let family = from; family < to; family++) {
      pool((taskFrom[family] ?? outOfRange()) - first, (taskFrom[family + 1] ?? outOfRange()) - first);
    }
  }
  return rewards;
}

/** Of those from `start` to `end` that are known. */
function meanKnown(rewards: readonly (number | null)[], start: number, end: number): number | null {
  let [sum, known] = [0, 0];
  for (let at = start; at < end; at++) {
    const reward = rewards[at];
    if (reward === undefined || reward === null) continue;
    sum += reward;
    known += 1;
  }
  return known === 0 ? null : sum / known;
}
