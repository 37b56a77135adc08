/** Rates as the journal has them, and one family's score. */
import * as z from 'zod';

const count = z.int().nonnegative();

/** Successes over attempts with a 95 % interval that respects clusters. `p` is null without attempts. */
export const successRateSchema = z.strictObject({
  successes: count,
  attempts: count,
  p: z.number().nullable(),
  low: z.number(),
  high: z.number(),
  /** Independent attempts that these are worth, on which the interval is Wilson's; older journals took all for independent. */
  effective: z.number().nonnegative().optional(),
});
export type SuccessRate = z.infer<typeof successRateSchema>;

/** pass@k, mean over tasks, with a 95 % interval; `value` is null without a task that has k judged attempts. */
export const passAtKSchema = z.strictObject({
  k: z.int().positive(),
  /** Tasks with at least k judged attempts: only these count. */
  tasks: count,
  value: z.number().nullable(),
  low: z.number(),
  high: z.number(),
});
export type PassAtK = z.infer<typeof passAtKSchema>;

/** One unit over which p̂ was measured and R_env given; with scope `family`, one task family. */
export const familyScoreSchema = z.strictObject({
  id: z.string(),
  seed: z.string().nullable(),
  /** Absent where the run has one domain. */
  domain: z.string().optional(),
  origin: z.enum(['generated', 'offline']),
  plan: z.string(),
  /** Its tasks in the batch; `weight` is the task's share of this epoch's environment update, 0 when not kept. */
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      successes: count,
      attempts: count,
      /** Null where it is not known: nothing was judged, or its kind measured nothing. Older versions wrote 0. */
      environmentReward: z.number().nullable(),
      weight: z.number(),
      /**
       * The signal that the run's kind of reward measured beside the counts, `phases/signals.ts`; absent where it
       * measures nothing.
       */
      signal: z.number().optional(),
      /**
       * Whether its judged attempts differ in reward, so that GRPO learns from them; absent where the counts say it (some solved,
       * some not), and in journals of older versions.
       */
      teaches: z.boolean().optional(),
    }),
  ),
  successRate: successRateSchema,
  /**
   * Attempts that were not made because its place outside the band was certain (`rollouts.cutOff`): p̂ is of those before.
   * Absent where all were made.
   */
  cutOff: z.int().positive().optional(),
  /** The estimate behind R_env: p̂ or the posterior mean, over the scope in force. */
  estimate: z.number(),
  /** R_env; with scope `task` the mean over its tasks. Null where it is known of none. */
  environmentReward: z.number().nullable(),
  /** 1 inside the band, 0 outside; between for the soft filter; with scope `task` the mean over its tasks. */
  kept: z.number(),
  /** Sum of its tasks' weights; all families' sum to 1 when any is kept. */
  weight: z.number(),
  complexity: z.record(z.string(), z.number()),
});
