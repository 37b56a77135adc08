import * as z from 'zod';
import { embeddedQualitySchema } from './embeddedQuality.ts';

const share = z.number().min(0).max(1);

/**
 * How diverse an epoch's tasks are, by their words, over a sample of them. Overlap is the Jaccard similarity of two
 * texts' word triples, without triples found in more than half of the seeds; distance is 1 − overlap. docs/method.md
 * has sources and limits.
 */
export const writtenQualitySchema = z.strictObject({
  /** Accepted tasks that were compared. */
  tasks: z.int().min(2),
  /** distinct-1 … distinct-4, all of them together; null where no text has so many words. */
  distinct: z.array(share.nullable()).length(4),
  /** Overlap of two tasks, mean over all pairs; overlap with the task most alike, mean over the tasks. */
  similarity: z.strictObject({ mean: share, nearest: share }),
  /** Chains of pairs that overlap by half: how many, and the largest's share of the tasks. */
  clusters: z.strictObject({
    count: z.int().positive(),
    largest: share,
    /** The value of `largest` if every task equalled its seed: few or similar seeds are no collapse. */
    seeds: share,
  }),
  /** Mean over the tasks, to the seed that each varies and to the nearest of all the seeds of these tasks. */
  seedDistance: z.strictObject({ own: share, nearest: share }),
  /** Jensen–Shannon divergence of the words, in bits, from the run's first epoch and from the one before; null without it. */
  drift: z.strictObject({ first: share.nullable(), previous: share.nullable() }),
  /** The same by an embedding server; absent where the experiment names none. */
  embedded: embeddedQualitySchema.optional(),
});
export type WrittenQuality = z.infer<typeof writtenQualitySchema>;
