/** Messages of a reward process, one JSON object a line, in any language. */
import * as z from 'zod';
import { takenCoverageSchema } from '../../shared/rewards/coverage.ts';
import { placeSchema } from '../../shared/rewards/outcome.ts';

const failureSchema = z.strictObject({ message: z.string(), stack: z.string().nullable(), at: placeSchema.nullable() });

/** Coverage since the last reply with coverage, where requested. */
const coverage = z.array(takenCoverageSchema).optional();

export const repliesSchema = z.discriminatedUnion('t', [
  /** The file is loaded; `files`: it and the user's own files that it imports. */
  z.strictObject({
    t: z.literal('ready'),
    files: z.array(z.string()),
    /** Names of the functions that a domain file has. */
    functions: z.array(z.string()).optional(),
    coverage,
    /** Under a debugger: the first place inside each function where it can stop, by its name. */
    entries: z.record(z.string(), placeSchema).optional(),
  }),
  /** It listens on this port of this machine, and waits for a debugger. */
  z.strictObject({ t: z.literal('debugger'), port: z.int() }),
  z.strictObject({ t: z.literal('unloadable'), ...failureSchema.shape }),
  /** Printed by the call under way. */
  z.strictObject({ t: z.literal('out'), text: z.string() }),
  /** Numbers of Python are as it wrote them (`parseAsWritten`). */
  z.strictObject({ t: z.literal('gave'), id: z.int(), value: z.unknown(), coverage }),
  z.strictObject({
    t: z.literal('threw'),
    id: z.int(),
    reason: z.enum(['threw', 'rejection', 'memory']),
    ...failureSchema.shape,
    coverage,
  }),
  /** More memory is in use than it may have; the process ends itself. */
  z.strictObject({ t: z.literal('memory') }),
]);
export type Reply = z.infer<typeof repliesSchema>;
