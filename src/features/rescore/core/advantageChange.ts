/** The advantages of GRPO under another reward. */
import { groupAdvantages, groupKind } from '../../../engine/math/advantage.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Change, Judgement } from '../contract/rejudged.ts';

export interface AdvantageChange {
  /** Groups whose rewards differ: only they teach. */
  groups: Change<number>;
  /** Attempts with an advantage other than 0 under either reward. */
  attempts: number;
  /** Of them, those pushed up before and down after, or the other way round. */
  turned: number;
  /** Of them, those with an advantage under the new reward only, and under the recorded one only. */
  gained: number;
  lost: number;
  /** Sum of |after − before| over them. */
  moved: number;
}

/** Of no groups. */
export const noAdvantages: AdvantageChange = {
  groups: { before: 0, after: 0 },
  attempts: 0,
  turned: 0,
  gained: 0,
  lost: 0,
  moved: 0,
};

/** An attempt that is pushed the other way. */
export interface Turned {
  /** Which of its group, in recorded order. */
  at: number;
  advantage: Change<number>;
}

/** Those of a group whose advantages have the other sign. */
export function turnedIn(group: readonly Change<Judgement>[], norm: Experiment['agent']['advantageNorm']): Turned[] {
  const { before, after } = bothAdvantages(group, norm);
  return [...group.keys()].flatMap((at) => {
    const advantage = { before: before?.[at] ?? 0, after: after?.[at] ?? 0 };
    return signOf(advantage.before) * signOf(advantage.after) < 0 ? [{ at, advantage }] : [];
  });
}

const bothAdvantages = (
  group: readonly Change<Judgement>[],
  norm: Experiment['agent']['advantageNorm'],
): Change<number[] | null> => ({
  before: advantagesOf(
    group.map((one) => one.before),
    norm,
  ),
  after: advantagesOf(
    group.map((one) => one.after),
    norm,
  ),
});

/** Of one group's attempts. */
export function advantageChange(
  group: readonly Change<Judgement>[],
  norm: Experiment['agent']['advantageNorm'],
): AdvantageChange {
  const { before, after } = bothAdvantages(group, norm);
  const found = {
    ...noAdvantages,
    groups: { before: before === null ? 0 : 1, after: after === null ? 0 : 1 },
  };
  for (const i of group.keys()) {
    const [a, b] = [before?.[i] ?? 0, after?.[i] ?? 0];
    const signs = [signOf(a), signOf(b)];
    if (signs[0] === 0 && signs[1] === 0) continue;
    found.attempts += 1;
    found.moved += Math.abs(b - a);
    if (signs[0] === 0) found.gained += 1;
    else if (signs[1] === 0) found.lost += 1;
    else if (signs[0] !== signs[1]) found.turned += 1;
  }
  return found;
}

/** Both together. */
export function joined(one: AdvantageChange, other: AdvantageChange): AdvantageChange {
  return {
    groups: { before: one.groups.before + other.groups.before, after: one.groups.after + other.groups.after },
    attempts: one.attempts + other.attempts,
    turned: one.turned + other.turned,
    gained: one.gained + other.gained,
    lost: one.lost + other.lost,
    moved: one.moved + other.moved,
  };
}

/** By attempt, 0 for one that was not judged; null where the group teaches nothing. */
function advantagesOf(group: readonly Judgement[], norm: Experiment['agent']['advantageNorm']): number[] | null {
  const judged = group.filter(({ error }) => error === undefined);
  if (judged.length < 2 || groupKind(judged) !== 'trained') return null;
  const advantages = groupAdvantages(
    judged.map(({ reward }) => reward),
    norm,
  ).values();
  return group.map(({ error }) => (error === undefined ? (advantages.next().value ?? 0) : 0));
}

/** Subtracting a mean leaves rounding where there is nothing. */
const signOf = (advantage: number): number => (Math.abs(advantage) < 1e-9 ? 0 : Math.sign(advantage));
