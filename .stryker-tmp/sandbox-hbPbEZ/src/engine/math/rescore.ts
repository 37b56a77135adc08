/**
 * An epoch's recorded attempts scored again under other settings: what the families would have been worth. The same
 * steps as scoring in the loop (`phases/score.ts`), over columns instead of records, quick enough for a slider.
 */
import type { FamilyColumns, ScoredEpoch } from '../../shared/calibration/familyColumns.ts';
import { effectiveSampleSize, environmentReward, inBand, keepShare, regressionWeights } from './curriculum.ts';
import { estimateOf } from './successRate.ts';

export interface Settings {
  alpha: number;
  beta: number;
  lambda: number;
  kMin: number;
}

export interface Rescored {
  /** By family of the epoch, in order. */
  reward: Float64Array;
  kept: Float64Array;
  weight: Float64Array;
  /** Families, and those of them that the filter would have kept, in whole or in part. */
  families: number;
  familiesKept: number;
  /** Share of families with |p̂ − α| ≤ k_min. */
  inBand: number;
  /** Mean R_env over families. */
  environmentReward: number;
  effectiveSampleSize: number;
}

interface Unit {
  reward: number;
  keep: number;
}

/** @param how the epoch, with the filter, scope and estimate under which it is scored */
export function rescore(columns: FamilyColumns, how: ScoredEpoch, settings: Settings): Rescored {
  const { from, to } = how;
  const units = unitsOf(columns, how, settings);
  const weights = regressionWeights(units, settings.lambda);
  const families = to - from;
  const reward = new Float64Array(families);
  const kept = new Float64Array(families);
  const weight = new Float64Array(families);
  const first = columns.taskFrom[from] ?? 0;
  let [familiesKept, inside] = [0, 0];
  for (let family = 0; family < families; family++) {
    const tasks = columns.tasksOf(from + family);
    const start = (columns.taskFrom[from + family] ?? 0) - first;
    for (let task = start; task < start + tasks; task++) {
      reward[family] = (reward[family] ?? 0) + (units[task]?.reward ?? 0);
      kept[family] = (kept[family] ?? 0) + (units[task]?.keep ?? 0);
      weight[family] = (weight[family] ?? 0) + (weights[task] ?? 0);
    }
    reward[family] = tasks === 0 ? 0 : (reward[family] ?? 0) / tasks;
    kept[family] = tasks === 0 ? 0 : (kept[family] ?? 0) / tasks;
    if ((kept[family] ?? 0) > 0) familiesKept += 1;
    const [k, n] = [columns.successes[from + family] ?? 0, columns.attempts[from + family] ?? 0];
    if (n > 0 && inBand(k / n, settings)) inside += 1;
  }
  const share = (sum: number): number => (families === 0 ? 0 : sum / families);
  return {
    reward,
    kept,
    weight,
    families,
    familiesKept,
    inBand: share(inside),
    environmentReward: share(reward.reduce((sum, value) => sum + value, 0)),
    effectiveSampleSize: effectiveSampleSize(weight),
  };
}

/** What decides for each task of the epoch. Tasks with the same counts share one object: there are few different counts. */
function unitsOf(columns: FamilyColumns, how: ScoredEpoch, settings: Settings): Unit[] {
  const { from, to, scope, estimate, filter } = how;
  const { taskFrom, taskSuccesses, taskAttempts, successes, attempts } = columns;
  const known: Unit[][] = [];
  const judged = (k: number, n: number): Unit => {
    const unit = known[n]?.[k];
    if (unit !== undefined) return unit;
    const p = estimateOf(k, n, estimate);
    const made = { reward: environmentReward(p, settings), keep: keepShare(p, filter, settings) };
    (known[n] ??= [])[k] = made;
    return made;
  };
  let [allSuccesses, allAttempts] = [0, 0];
  for (let family = from; family < to; family++) {
    allSuccesses += successes[family] ?? 0;
    allAttempts += attempts[family] ?? 0;
  }
  const units: Unit[] = [];
  for (let family = from; family < to; family++) {
    const end = taskFrom[family + 1] ?? 0;
    const pooled =
      scope === 'epoch' ? judged(allSuccesses, allAttempts) : judged(successes[family] ?? 0, attempts[family] ?? 0);
    for (let task = taskFrom[family] ?? 0; task < end; task++) {
      const n = taskAttempts[task] ?? 0;
      const unit = scope === 'task' ? judged(taskSuccesses[task] ?? 0, n) : pooled;
      // A task that nobody tried earns what its scope says, but is never kept.
      units.push(n === 0 ? { reward: unit.reward, keep: 0 } : unit);
    }
  }
  return units;
}
