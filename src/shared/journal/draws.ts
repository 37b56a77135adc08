/** The tasks that a batch drew, and the measurements that later draws use. */
import * as z from 'zod';
import { samplerSchema } from '../experiment/schema.ts';

const count = z.int().nonnegative();

/** `rollouts.sampler` in force, without the fields that its kind ignores. */
export const samplerInForce = samplerSchema.partial().required({ kind: true });

/** Which tasks a batch drew from one source, by `src/engine/samplers`. */
export const drawSchema = z.strictObject({
  /** Base data, the agent pool, a static set's families, the file of mode `offline`; the pool again, for edits. */
  from: z.enum(['base', 'pool', 'static', 'offline', 'edit']),
  /** Absent where the run has one domain. */
  domain: z.string().optional(),
  /** Candidates, and those of them that a score was known of. */
  of: count,
  known: count,
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      /** Its place among the candidates, from 0. */
      at: count,
      /** By its score, by its age, as one never measured, or as the next of its pass. */
      by: z.enum(['score', 'age', 'new', 'pass']),
      /** The score, or the age in epochs; null of what was never measured. */
      value: z.number().nullable(),
    }),
  ),
});

/** One task's judged attempts of an epoch. */
export const measureSchema = z.strictObject({
  id: z.string(),
  successes: count,
  attempts: count,
  /** Mean |r − mean r| over their rewards, to 10⁻⁹; null without any. */
  spread: z.number().nullable(),
  /** Whether it became a task of the agent pool in this epoch. */
  pooled: z.literal(true).optional(),
  /** Absent where the run has one domain. */
  domain: z.string().optional(),
});
