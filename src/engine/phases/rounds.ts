/**
 * An epoch's rounds: the batch cut into parts of about `rollouts.batch` tasks, each attempted by the agent that the part
 * before it left, and learned from before the next. A family stays whole, so that one version decides its p̂.
 */
import type { Batch } from './batch.ts';

/** One round of an epoch; `number` counts from 0. */
export interface Round extends Batch {
  number: number;
  last: boolean;
}

/** A round's number in the journal; no member where the epoch has only one. */
export const roundNamed = ({ number, last }: Pick<Round, 'number' | 'last'>): { round?: number } =>
  number === 0 && last ? {} : { round: number + 1 };

/** Streams of random numbers carry the round's number from the second on. */
export const roundStream = ({ number }: Pick<Round, 'number'>): number[] => (number === 0 ? [] : [number]);

/** A batch that is one round. */
export const wholeBatch = ({ calibrated, mixed }: Batch): Round => ({ calibrated, mixed, number: 0, last: true });

/** @param size tasks of a round; null: one round */
export function roundsOf({ calibrated, mixed }: Batch, size: number | null): Round[] {
  const count = size === null ? 1 : Math.ceil((calibrated.length + mixed.length) / size);
  if (count <= 1) return [wholeBatch({ calibrated, mixed })];
  const families = [...Map.groupBy(calibrated, ({ family }) => family).values()];
  const parts = Array.from({ length: count }, (_, part) => ({
    calibrated: share(families, part, count).flat(),
    mixed: share(mixed, part, count),
  })).filter((part) => part.calibrated.length + part.mixed.length > 0);
  return parts.map((part, number) => ({ ...part, number, last: number === parts.length - 1 }));
}

/** The part-th of `count` equal shares, in order. */
const share = <T>(items: readonly T[], part: number, count: number): T[] =>
  items.slice(Math.floor((part * items.length) / count), Math.floor(((part + 1) * items.length) / count));
