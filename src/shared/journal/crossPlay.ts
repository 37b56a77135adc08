/** A check of versions against each other (`crossPlay`), as the journal holds it. */
import * as z from 'zod';

const count = z.int().nonnegative();

/**
 * The tasks of one epoch that were attempted: the i-th character of a cell's outcomes is of the i-th id. The first `families`
 * of them are each of another family.
 */
const rowSchema = z.strictObject({ tasks: count, families: count, ids: z.array(z.string()) });

const cellSchema = z.strictObject({
  /** The epoch whose tasks were attempted, and the end of the epoch whose agent attempted them; 0 is the start. */
  ...{ tasks: count, agent: count },
  version: z.string(),
  /** One character a task, each attempted once: `1` solved, `0` not, `-` unanswered or not judged. */
  outcomes: z.string(),
});
export type CrossPlayCell = z.infer<typeof cellSchema>;

export const crossPlaySchema = z.strictObject({
  /** Today's agent. */
  version: z.string(),
  rows: z.array(rowSchema),
  cells: z.array(cellSchema),
  /** Older agents that cannot sample any more, and why. */
  absent: z.array(z.strictObject({ agent: count, version: z.string(), reason: z.string() })).optional(),
  ...{ rollouts: count, tokens: count, seconds: z.number() },
});
