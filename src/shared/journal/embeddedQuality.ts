/** Quality of written tasks by the vectors of an embedding server, beside that by their words. */
import * as z from 'zod';

const share = z.number().min(0).max(1);
const distance = z.number().min(0).max(2);

const figuresSchema = z.strictObject({
  model: z.string(),
  /** Distance of two tasks, mean over all pairs; distance to the nearest task, mean over the tasks. */
  distance: z.strictObject({ mean: distance, nearest: distance }),
  /** Average-linkage clusters within `reach`, half of the mean distance of two seeds; null where a single seed tells none. */
  clusters: z
    .strictObject({
      reach: distance,
      count: z.int().positive(),
      largest: share,
      /** The value of `largest` if every task equalled its seed. */
      seeds: share,
    })
    .nullable(),
  /** Mean over the tasks, to the seed that each varies and to the nearest of all the seeds of these tasks. */
  seedDistance: z.strictObject({ own: distance, nearest: distance }),
});
export type EmbeddedFigures = z.infer<typeof figuresSchema>;

/** Distance is 1 − cosine; or why the server gave no vectors, in a sentence. */
export const embeddedQualitySchema = z.union([figuresSchema, z.strictObject({ failure: z.string().max(1000) })]);
export type EmbeddedQuality = z.infer<typeof embeddedQualitySchema>;
