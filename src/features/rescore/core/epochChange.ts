/** One epoch scored as it was and as another reward would have scored it, by the loop's own scoring. */
import { inBand } from '../../../engine/math/curriculum.ts';
import { scoreFamilies, type JudgedGroup, type ScoringCurriculum, type Signals } from '../../../engine/phases/score.ts';
import { recordedSignals, signalsOfRewards } from '../../../engine/phases/signals.ts';
import type { SeedRate } from '../../../engine/rewardKinds/progress.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import {
  advantageChange,
  joined,
  noAdvantages,
  turnedIn,
  type AdvantageChange,
  type Turned,
} from './advantageChange.ts';
import type { RescoredProgress } from './rescoredProgress.ts';
import type { Change, Judgement } from '../contract/rejudged.ts';

/** How an epoch was scored. */
export interface ScoredEpoch {
  epoch: number;
  /** As journaled: which families there were, and of which tasks. */
  families: readonly Pick<FamilyScore, 'id' | 'seed' | 'origin' | 'tasks' | 'cutOff'>[];
  curriculum: ScoringCurriculum;
  /** The filter is off in a warm-up epoch. */
  warm: boolean;
  advantageNorm: Experiment['agent']['advantageNorm'];
  /** The agent's version that attempted it, and the recorded p̂ of seeds before the first epoch that is judged again. */
  attemptedBy: { version: string; before: ReadonlyMap<string, SeedRate> };
  /** Tasks whose groups fell out (`rollouts.spare`): they were neither scored nor learned from. */
  dropped?: ReadonlySet<string>;
  /** Tasks whose groups were late (`rollouts.late`) in this epoch, and in the one before. */
  late?: { own: ReadonlySet<string>; before: ReadonlySet<string> };
}

/** A task’s attempts in one epoch. */
export interface AttemptedGroup {
  task: string;
  /** The epoch that attempted it. */
  attemptedIn: number;
  attempts: readonly Change<Judgement>[];
}

/** A family that is in the band under one of the rewards. */
export interface CrossedFamily {
  family: string;
  enters: boolean;
  /** p̂; null without a judged attempt. */
  successRate: Change<number | null>;
}

/** Null where R_env under the other reward is not known: a person's own file, which rewards families, is not asked again. */
export interface Reweighed<T> {
  before: T;
  after: T | null;
}

export interface EpochChange {
  epoch: number;
  successRate: Change<SuccessRate>;
  /** Over the tasks mixed into the batch. */
  baseSuccessRate: Change<SuccessRate>;
  /** R_env of each family of which it is known, in order. */
  environmentReward: Change<number[]>;
  /** Families whose p̂ comes into the band, and those whose p̂ leaves it. */
  entered: string[];
  left: string[];
  /** Both, in the order of the families. */
  crossed: CrossedFamily[];
  /** Families in the band. */
  inBand: Change<number>;
  familiesKept: Reweighed<number>;
  /** Families, their R_env known or not. */
  families: number;
  /** Families that were cut off by their recorded verdicts. */
  cutOff: number;
  /** Of the regression's weights by family. */
  effectiveSampleSize: Reweighed<number>;
  /** Share of the regression's weight that goes to other families, 0…1; 1 where only one side keeps any. Null as above. */
  weightMoved: number | null;
  advantages: AdvantageChange;
  /** Attempts whose advantage has the other sign. */
  turned: (Turned & { task: string; attemptedIn: number })[];
}

/** @param all the training attempts that count in the epoch: two groups of a task that was drawn again while it was late */
export function epochChange(
  { epoch, families, curriculum, warm, advantageNorm, attemptedBy, dropped }: ScoredEpoch,
  all: readonly AttemptedGroup[],
  progress: RescoredProgress,
): EpochChange {
  const groups = dropped === undefined ? all : all.filter(({ task }) => !dropped.has(task));
  const attempts = new Map<string, readonly Change<Judgement>[]>();
  for (const { task, attempts: own } of groups) attempts.set(task, [...(attempts.get(task) ?? []), ...own]);
  const own = new Set(families.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  const { kind } = curriculum.reward;
  const verdictsBy = (side: keyof Change<unknown>) => (id: string) =>
    (attempts.get(id) ?? []).map((one) => ({ verdict: one[side] }));
  // Of every kind: a later epoch may be rewarded by progress.
  const progressed = progress.take(families, verdictsBy('after'), attemptedBy);
  const scored = (side: keyof Change<unknown>) => {
    const verdictsOf = verdictsBy(side);
    const calibrated = families.flatMap(({ id, seed, origin, tasks }) =>
      tasks.map((task): JudgedGroup => ({
        task: { id: task.id, family: id, seed, origin, plan: '', complexity: {} },
        traces: verdictsOf(task.id),
      })),
    );
    const mixed = [...attempts.keys()]
      .filter((id) => !own.has(id))
      .map((id): JudgedGroup => ({
        task: { id, family: id, seed: null, origin: 'base', plan: '', complexity: {} },
        traces: verdictsOf(id),
      }));
    const measured = signalsOfRewards(
      kind,
      calibrated.map(({ task }) => [task.id, verdictsOf(task.id)] as const),
    );
    const other = kind === 'progress' ? progressed : kind === 'file' ? unknown : recordedSignals(families);
    const signals = measured.size > 0 ? measured : side === 'after' ? other : recordedSignals(families);
    return scoreFamilies(calibrated, mixed, curriculum, warm, null, signals);
  };
  const [before, after] = [scored('before'), scored('after')];
  const reweighed = (value: number): number | null => (kind === 'file' ? null : value);
  const inside = ({ successRate }: FamilyScore): boolean => successRate.p !== null && inBand(successRate.p, curriculum);
  const insideBefore = new Set(before.families.filter(inside).map(({ id }) => id));
  const insideAfter = new Set(after.families.filter(inside).map(({ id }) => id));
  return {
    epoch,
    successRate: { before: before.successRate, after: after.successRate },
    baseSuccessRate: { before: before.baseSuccessRate, after: after.baseSuccessRate },
    environmentReward: { before: rewardsOf(before.families), after: rewardsOf(after.families) },
    entered: [...insideAfter].filter((id) => !insideBefore.has(id)),
    left: [...insideBefore].filter((id) => !insideAfter.has(id)),
    crossed: before.families.flatMap(({ id, successRate: was }, i) =>
      insideBefore.has(id) === insideAfter.has(id)
        ? []
        : [
            {
              family: id,
              enters: insideAfter.has(id),
              successRate: { before: was.p, after: after.families[i]?.successRate.p ?? null },
            },
          ],
    ),
    inBand: { before: insideBefore.size, after: insideAfter.size },
    familiesKept: { before: before.familiesKept, after: reweighed(after.familiesKept) },
    families: families.length,
    cutOff: families.filter(({ cutOff }) => cutOff !== undefined).length,
    effectiveSampleSize: { before: before.effectiveSampleSize, after: reweighed(after.effectiveSampleSize) },
    weightMoved: reweighed(weightMoved(before.families, after.families)),
    advantages: groups.reduce(
      (sum, group) => joined(sum, advantageChange(group.attempts, advantageNorm)),
      noAdvantages,
    ),
    turned: groups.flatMap(({ task, attemptedIn, attempts: own }) =>
      turnedIn(own, advantageNorm).map((one) => ({ ...one, task, attemptedIn })),
    ),
  };
}

const unknown: Signals = new Map();

const rewardsOf = (families: readonly FamilyScore[]): number[] =>
  families.flatMap(({ environmentReward }) => environmentReward ?? []);

function weightMoved(before: readonly FamilyScore[], after: readonly FamilyScore[]): number {
  let [given, taken] = [0, 0];
  for (const [i, { weight }] of before.entries()) {
    const more = (after[i]?.weight ?? 0) - weight;
    if (more > 0) given += more;
    else taken -= more;
  }
  return Math.max(given, taken);
}
