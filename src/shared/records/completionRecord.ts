import * as z from 'zod';
import { tokenCountsSchema } from './tokenCounts.ts';

const count = z.int().nonnegative();

/**
 * A completion that is paid for before the record that it leads to, and may lead to none: a plan; where new tasks wait for independent
 * answers, a text, or such an answer.
 */
export const completionRecordSchema = z.strictObject({
  v: z.literal(1),
  /** Its request, and its place among the answers to that: `e3.f2/1/plan#0`. */
  id: z.string(),
  epoch: count,
  kind: z.enum(['plan', 'text', 'answer']),
  /** The family that it was written for, and at which try, from 1. */
  family: z.string(),
  attempt: z.int().positive(),
  /** Policy version that gave it. */
  version: z.string(),
  promptTokens: z.array(count),
  tokens: z.array(count),
  logprobs: z.array(z.number()),
  /** By the server's own count, where it returned no ids. */
  counted: tokenCountsSchema.optional(),
  text: z.string(),
  reasoning: z.string().optional(),
  stopReason: z.enum(['stop', 'length']),
});
export type CompletionRecord = z.infer<typeof completionRecordSchema>;
