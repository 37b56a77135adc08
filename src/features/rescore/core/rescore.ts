/**
 * A run's recorded attempts under another reward, before it affects training: flipped verdicts, and their effect on
 * scoring and both updates. Holds only the two judgements of every attempt, as numbers.
 */
import { assumedCorrelation, clusteredRate, type Cluster } from '../../../engine/math/written/clusters.ts';
import { pooled } from '../../../engine/math/successRate.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { joined, noAdvantages, type AdvantageChange } from './advantageChange.ts';
import { epochChange, type AttemptedGroup, type EpochChange, type Reweighed, type ScoredEpoch } from './epochChange.ts';
import { meanInterval, type Mean } from './meanInterval.ts';
import { RescoredProgress } from './rescoredProgress.ts';
import { PackedGroup } from './packedGroup.ts';
import { fateOf, flipOf, type Change, type Fate, type Flip, type Rejudged } from '../contract/rejudged.ts';

export interface RescoreSummary {
  /** All attempts, for any purpose. */
  attempts: number;
  fates: Change<Record<Fate, number>>;
  flips: number;
  /** Attempts with the same fate and another reward. */
  rewardsMoved: number;
  /** p̂ of families' attempts, of the mixed-in tasks, and of validation. */
  successRate: Change<SuccessRate>;
  baseSuccessRate: Change<SuccessRate>;
  validation: Change<SuccessRate>;
  /** Mean R_env over all families. */
  environmentReward: Change<Mean>;
  families: number;
  inBand: Change<number>;
  /** Families that enter or leave the band. */
  entered: string[];
  left: string[];
  familiesKept: Reweighed<number>;
  /** Families that were cut off by their recorded verdicts: p̂ of both is of their first attempts. */
  cutOff: number;
  /** Means over epochs: of the regression's weights, and of the share of them that goes elsewhere. */
  effectiveSampleSize: Reweighed<number>;
  weightMoved: number | null;
  advantages: AdvantageChange;
  /** Of epochs that were scored, in order. */
  epochs: EpochChange[];
}

const noFates = (): Record<Fate, number> => ({ solved: 0, failed: 0, error: 0 });

export class Rescore {
  readonly #fates = { before: noFates(), after: noFates() };
  /** By task: every validation asks the same. */
  readonly #validation = { before: new Map<string, Cluster>(), after: new Map<string, Cluster>() };
  /** Training attempts by epoch and task. */
  readonly #trained = new Map<number, Map<string, PackedGroup>>();
  readonly #epochs: EpochChange[] = [];
  readonly #progress = new RescoredProgress();
  #attempts = 0;
  #flips = 0;
  #rewardsMoved = 0;

  /** In any order. Gives the flip, null where the attempt's fate is the same. */
  add(rejudged: Rejudged): Flip | null {
    const { purpose, epoch, task, verdict } = rejudged;
    this.#attempts += 1;
    for (const side of ['before', 'after'] as const) {
      const fate = fateOf(verdict[side]);
      this.#fates[side][fate] += 1;
      if (purpose === 'validation') count(this.#validation[side], task, fate);
    }
    if (purpose === 'train') {
      const tasks = this.#trained.get(epoch) ?? new Map<string, PackedGroup>();
      const group = tasks.get(task) ?? new PackedGroup();
      group.add(verdict);
      this.#trained.set(epoch, tasks.set(task, group));
    }
    const flip = flipOf(rejudged);
    if (flip !== null) this.#flips += 1;
    else if (verdict.before.reward !== verdict.after.reward) this.#rewardsMoved += 1;
    return flip;
  }

  /** Scores an epoch as it would have been, once all attempts that count in it are there; they are let go. Epochs in order. */
  settle(how: ScoredEpoch): void {
    const { epoch, late } = how;
    const own = [...(this.#trained.get(epoch) ?? [])];
    const before = [...(this.#trained.get(epoch - 1) ?? [])];
    const groupIn =
      (attemptedIn: number) =>
      ([task, group]: [string, PackedGroup]): AttemptedGroup => ({ task, attemptedIn, attempts: group.judgements() });
    const groups = [
      ...before.filter(([task]) => late?.before.has(task) === true).map(groupIn(epoch - 1)),
      ...own.filter(([task]) => late?.own.has(task) !== true).map(groupIn(epoch)),
    ];
    this.#epochs.push(epochChange(how, groups, this.#progress));
    this.#trained.delete(epoch - 1);
    this.#trained.set(epoch, new Map(own.filter(([task]) => late?.own.has(task) === true)));
  }

  /** Rates, rewards and weights are those of the epochs that were settled. */
  summary(): RescoreSummary {
    const epochs = this.#epochs;
    const both = <T>(of: (side: keyof Change<unknown>) => T): Change<T> => ({
      before: of('before'),
      after: of('after'),
    });
    const total = (of: (epoch: EpochChange) => number): number => epochs.reduce((sum, epoch) => sum + of(epoch), 0);
    const average = (of: (epoch: EpochChange) => number): number =>
      epochs.length === 0 ? 0 : total(of) / epochs.length;
    // Of epochs of which only some know R_env there is no sum and no mean.
    const known = <T>(sum: T): T | null => (epochs.every(({ weightMoved }) => weightMoved !== null) ? sum : null);
    return {
      attempts: this.#attempts,
      fates: { before: { ...this.#fates.before }, after: { ...this.#fates.after } },
      flips: this.#flips,
      rewardsMoved: this.#rewardsMoved,
      successRate: both((side) => pooled(epochs.map((epoch) => epoch.successRate[side]))),
      baseSuccessRate: both((side) => pooled(epochs.map((epoch) => epoch.baseSuccessRate[side]))),
      validation: both((side) => clusteredRate([...this.#validation[side].values()], assumedCorrelation.task)),
      environmentReward: {
        before: meanInterval(epochs.flatMap((epoch) => epoch.environmentReward.before)),
        after: meanInterval(known(epochs.flatMap((epoch) => epoch.environmentReward.after)) ?? []),
      },
      families: total(({ families }) => families),
      inBand: both((side) => total((epoch) => epoch.inBand[side])),
      entered: epochs.flatMap(({ entered }) => entered),
      left: epochs.flatMap(({ left }) => left),
      familiesKept: {
        before: total(({ familiesKept }) => familiesKept.before),
        after: known(total(({ familiesKept }) => familiesKept.after ?? 0)),
      },
      cutOff: total((epoch) => epoch.cutOff),
      effectiveSampleSize: {
        before: average(({ effectiveSampleSize }) => effectiveSampleSize.before),
        after: known(average(({ effectiveSampleSize }) => effectiveSampleSize.after ?? 0)),
      },
      weightMoved: known(average(({ weightMoved }) => weightMoved ?? 0)),
      advantages: epochs.reduce((sum, epoch) => joined(sum, epoch.advantages), noAdvantages),
      epochs,
    };
  }
}

function count(tasks: Map<string, Cluster>, task: string, fate: Fate): void {
  if (fate === 'error') return;
  const counted = tasks.get(task) ?? { successes: 0, attempts: 0 };
  counted.successes += Number(fate === 'solved');
  counted.attempts += 1;
  tasks.set(task, counted);
}
