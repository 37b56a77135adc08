import * as z from 'zod';

/** A family whose place outside the band was certain before all of its attempts were made (`rollouts.cutOff`). */
export const cutFamilySchema = z.strictObject({
  family: z.string(),
  /** Attempts that were not made. */
  left: z.int().positive(),
});
export type CutFamily = z.infer<typeof cutFamilySchema>;
