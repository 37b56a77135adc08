/** The result of a search. */
import * as z from 'zod';

const count = z.int().nonnegative();

export const searchMatchSchema = z.strictObject({
  /** Turn of the attempt, those of its branches behind the others, or message of the task's prompt; from 0. */
  turn: count,
  of: z.enum(['content', 'reasoning']),
  /** In that text, in UTF-16 units; `end` is not part of it. */
  start: count,
  end: count,
  /** The surrounding text, on one line, and the match's place in it. */
  snippet: z.strictObject({ text: z.string(), start: count, end: count }),
});
export type SearchMatch = z.infer<typeof searchMatchSchema>;

const found = {
  task: z.string(),
  family: z.string(),
  epoch: count,
  /** Of its text, in order; none where the query asks for no words. */
  matches: z.array(searchMatchSchema),
  /** Matches beyond those. */
  more: count,
};

export const searchHitSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('trace'),
    ...found,
    trace: z.string(),
    purpose: z.enum(['train', 'validation', 'rank', 'benchmark']),
    version: z.string(),
    verdict: z.enum(['solved', 'failed', 'error']),
    reward: z.number(),
  }),
  /**
   * A task whose prompt has the words. `readIn`: an attempt whose agent read them in a prompt that the domain worded, while the task's
   * own text has them not; the matches are of that prompt.
   */
  z.strictObject({ kind: z.literal('task'), ...found, readIn: z.string().optional() }),
]);
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchSummarySchema = z.strictObject({
  traces: count,
  tasks: count,
  /** There are more than requested. */
  limited: z.boolean(),
});
export type SearchSummary = z.infer<typeof searchSummarySchema>;
