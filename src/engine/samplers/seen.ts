/** A run's knowledge of tasks that it may draw again: a fold over the journaled measurements of their attempts. */
import type { EventOf } from '../../shared/journal/events.ts';
import { defined } from '../../shared/defined.ts';

export type Measure = NonNullable<EventOf<'families.scored'>['measures']>[number];

/** One task's newest attempts that were judged, and how often it was in a batch. */
export interface Seen {
  /** k/n; null where none of its attempts was ever judged. */
  p: number | null;
  /** Mean |r − mean r| over rewards, to 10⁻⁹ (`spreadOf`). */
  spread: number | null;
  /** The newest epoch in which it was attempted. */
  epoch: number;
  /** Epochs in which it was attempted. */
  draws: number;
  /** The epoch that wrote it, where it is a task of the agent pool. */
  written?: number;
  /** Where the run has several domains. */
  domain?: string;
}

/** The tasks an epoch attempted, as they are known from then on. */
export function seenAfter(
  before: ReadonlyMap<string, Seen>,
  epoch: number,
  measures: readonly Measure[],
): [string, Seen][] {
  return measures.map(({ id, successes, attempts, spread, pooled, domain }) => {
    const old = before.get(id);
    const written = pooled === true ? epoch : old?.written;
    return [
      id,
      {
        p: attempts === 0 ? (old?.p ?? null) : successes / attempts,
        spread: spread ?? old?.spread ?? null,
        epoch,
        draws: (old?.draws ?? 0) + 1,
        ...defined({ written, domain }),
      },
    ];
  });
}

/** Several tasks as one unit: those attempted last stand for it. */
export function seenTogether(some: readonly (Seen | undefined)[]): Seen | undefined {
  const known = some.filter((one) => one !== undefined);
  const epoch = known.reduce((newest, one) => Math.max(newest, one.epoch), 0);
  const newest = known.filter((one) => one.epoch === epoch);
  if (newest.length === 0) return undefined;
  return {
    p: meanOf(newest.map(({ p }) => p)),
    spread: meanOf(newest.map(({ spread }) => spread)),
    epoch,
    draws: known.reduce((most, { draws }) => Math.max(most, draws), 0),
  };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : rounded(known.reduce((sum, value) => sum + value, 0) / known.length);
}

/** To 10⁻⁹, so that equal outcomes in another order are equal numbers, and ties are broken by chance. */
export const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;

/** PLR's L1 value loss with the group's mean in the critic's place; null without a judged attempt. */
export function spreadOf(rewards: readonly number[]): number | null {
  if (rewards.length === 0) return null;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  return rounded(rewards.reduce((sum, reward) => sum + Math.abs(reward - mean), 0) / rewards.length);
}
