/** What a reward process says, one JSON object a line, whatever its language. */
import * as z from 'zod';
import { placeSchema } from '../../shared/rewards/outcome.ts';

const failureSchema = z.strictObject({ message: z.string(), stack: z.string().nullable(), at: placeSchema.nullable() });

export const repliesSchema = z.discriminatedUnion('t', [
  /** The file is loaded; `files`: it and what it imports of a person's own. */
  z.strictObject({ t: z.literal('ready'), files: z.array(z.string()) }),
  z.strictObject({ t: z.literal('unloadable'), ...failureSchema.shape }),
  /** Printed by the call under way. */
  z.strictObject({ t: z.literal('out'), text: z.string() }),
  z.strictObject({ t: z.literal('gave'), id: z.int(), value: z.unknown() }),
  z.strictObject({
    t: z.literal('threw'),
    id: z.int(),
    reason: z.enum(['threw', 'rejection', 'memory']),
    ...failureSchema.shape,
  }),
  /** More memory is in use than it may have; the process ends itself. */
  z.strictObject({ t: z.literal('memory') }),
]);
export type Reply = z.infer<typeof repliesSchema>;
