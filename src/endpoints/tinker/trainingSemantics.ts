/** How a server's training calls behave where the protocol leaves room, or where servers do not keep to it (§15). */
import * as z from 'zod';

/** Null: it could not be seen. */
export const semanticsSchema = z.object({
  /** `mean`: of each sequence Σ(loss)/Σ(weights), then the mean over the sequences of a step. */
  reduction: z.enum(['sum', 'mean']).nullable(),
  /** `rate`: only the learning rate of a step is applied, the other fields of Adam are the server's own. */
  adam: z.enum(['all', 'rate']).nullable(),
  /** Whether a step clips the gradient when it is asked to. */
  clips: z.boolean().nullable(),
  /** Null also where it was never needed. */
  models: z.enum(['several', 'one']).nullable(),
  /** `first`: what comes between two steps takes the loss of the first pass. */
  losses: z.enum(['apart', 'first']).nullable(),
});
export type TrainingSemantics = z.infer<typeof semanticsSchema>;

/** As the protocol says. */
export const asSpecified: TrainingSemantics = {
  reduction: 'sum',
  adam: 'all',
  clips: true,
  models: 'several',
  losses: 'apart',
};
