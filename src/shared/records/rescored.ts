/** Another reward's verdict on a recorded attempt, stored beside the unchanged trace. */
import * as z from 'zod';
import { traceSchema } from './trace.ts';

export const rescoredSchema = z.strictObject({
  v: z.literal(1),
  /** Of the trace. */
  id: z.string(),
  epoch: z.int().nonnegative(),
  task: z.string(),
  verdict: traceSchema.shape.verdict,
});
export type Rescored = z.infer<typeof rescoredSchema>;
