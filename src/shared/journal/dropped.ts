import * as z from 'zod';

const count = z.int().nonnegative();

/**
 * Groups that fell out since enough others were complete before them (`rollouts.spare`). Their tasks and attempts stay in
 * the records; nothing is measured on them or learned from them.
 */
export const droppedSchema = z.strictObject({
  /** One a task, with its recorded attempts, and the tokens that an answer to it was expected to have where that is known. */
  groups: z.array(z.strictObject({ task: z.string(), attempts: count, expected: count.optional() })),
  /** Recorded attempts of all of them, and their tokens. */
  attempts: count,
  tokens: count,
  /** Sampled tokens and prompts as sent, where tokens have prices. */
  sampled: count.optional(),
  sent: count.optional(),
  /** Attempts that were ended under way, or did not begin. */
  left: count,
  /** Tokens that those left likely cost: each counts as long as the mean of the recorded ones. Servers do not tell. */
  likely: count,
  /** Mean expected tokens of an answer in groups that count, and in those that fell out; absent before any is known. */
  expected: z.strictObject({ counted: count, dropped: count }).optional(),
});
export type Dropped = z.infer<typeof droppedSchema>;

interface Attempted {
  rollouts: number;
  /** Null where they are not known. */
  tokens: number | null;
  dropped?: Dropped | undefined;
}

/** Everything that a round made: with what fell out, and with what the attempts ended under way likely cost. */
export const madeIn = ({ rollouts, tokens, dropped }: Attempted): Pick<Attempted, 'rollouts' | 'tokens'> => ({
  rollouts: rollouts + (dropped?.attempts ?? 0),
  tokens: tokens === null ? null : tokens + (dropped?.tokens ?? 0) + (dropped?.likely ?? 0),
});
