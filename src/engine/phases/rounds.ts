/**
 * An epoch's rounds: the batch cut into parts of about `rollouts.batch` tasks, each attempted by the agent that the part
 * before it left, and learned from before the next. A family stays whole, so that one version decides its p̂.
 */
import { partOf } from '../spare/places.ts';
import type { Batch } from './batch.ts';
import { sum } from '../../shared/sum.ts';

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
export const wholeBatch = (batch: Batch): Round => ({ ...parted(batch, batch, 0, 1), number: 0, last: true });

/** @param size tasks of a round; null: one round */
export function roundsOf(batch: Batch, size: number | null): Round[] {
  const { calibrated, mixed, needed } = batch;
  const tasks = needed === undefined ? calibrated.length + mixed.length : sum(needed.values());
  const count = size === null ? 1 : Math.ceil(tasks / size);
  if (count <= 1) return [wholeBatch(batch)];
  const families = [...Map.groupBy(calibrated, ({ family }) => family).values()];
  const parts = Array.from({ length: count }, (_, part) =>
    parted(batch, { calibrated: share(families, part, count).flat(), mixed: share(mixed, part, count) }, part, count),
  ).filter((part) => part.calibrated.length + part.mixed.length > 0);
  return parts.map((part, number) => ({ ...part, number, last: number === parts.length - 1 }));
}

const parted = ({ needed }: Batch, { calibrated, mixed }: Batch, part: number, count: number): Batch => ({
  ...{ calibrated, mixed },
  ...(needed !== undefined && { needed: partOf(needed, part, count) }),
});

/** The part-th of `count` equal shares, in order. */
const share = <T>(items: readonly T[], part: number, count: number): T[] =>
  items.slice(Math.floor((part * items.length) / count), Math.floor(((part + 1) * items.length) / count));
