/**
 * Scoring of one epoch (Eq. 2, Eq. 3, §2.2.2, §2.4), over columns: counts of tasks in, rewards and weights out. The loop
 * scores by it, and so does whoever asks what other settings would have given: quick enough for a slider over 100,000
 * families.
 */
import type { ScoredEpoch } from '../../shared/calibration/familyColumns.ts';
import { effectiveSampleSize, environmentReward, inBand, keepShare, regressionWeights } from './curriculum.ts';
import { estimateOf } from './successRate.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

export interface ScoringSettings {
  alpha: number;
  beta: number;
  lambda: number;
  kMin: number;
}

/** Judged attempts of families, one entry a family or a task. */
export interface FamilyCounts {
  successes: ArrayLike<number>;
  attempts: ArrayLike<number>;
  /** Where a family's tasks begin; one entry more than there are families. */
  taskFrom: ArrayLike<number>;
  taskSuccesses: ArrayLike<number>;
  taskAttempts: ArrayLike<number>;
}

/** Its families are the entries from `from` to `to`; the filter as it is applied. */
type HowScored = Omit<ScoredEpoch, 'epoch'>;

export interface EpochScores {
  /** By family of the epoch, in order: means over its tasks of the deciding p̂, R_env and the share that is kept. */
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
  /** Mean R_env over families. */
  environmentReward: number;
  effectiveSampleSize: number;
}

/** The p̂ that decides for a task, or its estimate; R_env; and the share that the filter keeps. */
interface TaskScore {
  estimate: number;
  reward: number;
  keep: number;
}

export function scoreEpoch(counts: FamilyCounts, how: HowScored, settings: ScoringSettings): EpochScores {
  const { from, to } = how;
  const units = unitsOf(counts, how, settings);
  const taskWeight = regressionWeights(units, settings.lambda);
  const families = to - from;
  const estimate = new Float64Array(families);
  const reward = new Float64Array(families);
  const kept = new Float64Array(families);
  const weight = new Float64Array(families);
  const first = counts.taskFrom[from] ?? outOfRange();
  let [familiesKept, inside, rewards] = [0, 0, 0];
  for (let family = 0; family < families; family++) {
    const start = (counts.taskFrom[from + family] ?? outOfRange()) - first;
    const end = (counts.taskFrom[from + family + 1] ?? outOfRange()) - first;
    let [estimates, earned, keeps, weights] = [0, 0, 0, 0];
    for (let task = start; task < end; task++) {
      const unit = units[task];
      if (unit === undefined) continue;
      estimates += unit.estimate;
      earned += unit.reward;
      keeps += unit.keep;
      weights += taskWeight[task] ?? outOfRange();
    }
    const tasks = Math.max(1, end - start);
    estimate[family] = estimates / tasks;
    reward[family] = earned / tasks;
    kept[family] = keeps / tasks;
    weight[family] = weights;
    rewards += earned / tasks;
    if (keeps > 0) familiesKept += 1;
    const [k, n] = [counts.successes[from + family] ?? outOfRange(), counts.attempts[from + family] ?? outOfRange()];
    // 0/0 lies in no band.
    if (inBand(k / n, settings)) inside += 1;
  }
  return {
    ...{ estimate, reward, kept, weight, tasks: units, taskWeight, families, familiesKept },
    inBand: families === 0 ? 0 : inside / families,
    environmentReward: families === 0 ? 0 : rewards / families,
    effectiveSampleSize: effectiveSampleSize(weight),
  };
}

/** What decides for each task of the epoch. Tasks with the same counts share one object: there are few different counts. */
function unitsOf(counts: FamilyCounts, how: HowScored, settings: ScoringSettings): TaskScore[] {
  const { from, to, scope, estimate, filter } = how;
  const { taskFrom, taskSuccesses, taskAttempts, successes, attempts } = counts;
  const known: TaskScore[][] = [];
  const judged = (k: number, n: number): TaskScore => {
    const unit = known[n]?.[k];
    if (unit !== undefined) return unit;
    const p = estimateOf(k, n, estimate);
    const made = { estimate: p, reward: environmentReward(p, settings), keep: keepShare(p, filter, settings) };
    (known[n] ??= [])[k] = made;
    return made;
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
      // A task that nobody tried earns what its scope says, but is never kept.
      units.push(n === 0 ? { ...unit, keep: 0 } : unit);
    }
  }
  return units;
}
