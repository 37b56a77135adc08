import * as z from 'zod';
import { messageSchema } from './message.ts';
import { tokenCountsSchema } from './tokenCounts.ts';

/** Judgement of one attempt. p̂ only ever uses `success`; learning uses `reward`. */
export const verdictSchema = z.strictObject({
  success: z.boolean(),
  /** Shaped reward, 0…1 (paper, Eq. 1). */
  reward: z.number().min(0).max(1),
  parts: z.record(z.string(), z.number()).optional(),
  /** A benchmark's individual checks, by its own names: whether each is met. An absent one was not checked. */
  checks: z.record(z.string(), z.boolean()).optional(),
  note: z.string().optional(),
  /** The answer could be parsed and executed: only such traces may enter the agent pool (paper §2.3). */
  valid: z.boolean(),
  /** The checker itself failed: neither success nor failure; left out of p̂ and of training. */
  error: z.string().optional(),
  /** The output of a person's own reward while it judged, cut short where it was long; a judging model's answer. */
  output: z.string().optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** One training sequence of an attempt: an append-only chat is one, a rewritten history starts another. */
const sequenceSchema = z.strictObject({
  tokens: z.array(z.int().nonnegative()),
  /** Sampled positions as [start, end) pairs into `tokens`. */
  spans: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
  /** Logprobs of the sampled tokens, in order, under the version that sampled them. */
  logprobs: z.array(z.number()),
});
export type Sequence = z.infer<typeof sequenceSchema>;

/** A conversation of an attempt that is another than `messages` from some place on. */
export const branchSchema = z.strictObject({
  /** The trace that it shares its beginning with: 0 is `messages`, k the k-th branch. */
  of: z.int().nonnegative(),
  /** How many messages of that it begins with. */
  after: z.int().nonnegative(),
  /** The continuation. */
  messages: z.array(messageSchema),
});
export type Branch = z.infer<typeof branchSchema>;

/** A server's account of an episode: of its reset, then of every action. */
const stepSchema = z.strictObject({
  observation: z.record(z.string(), z.unknown()),
  /** Null where it gave none. */
  reward: z.number().nullable(),
  done: z.boolean(),
  /** Why the step failed: the text that the agent got instead of an observation. */
  error: z.string().optional(),
});
export type Step = z.infer<typeof stepSchema>;

/** The record of one rollout: one attempt of the agent at one task. */
export const traceSchema = z.strictObject({
  v: z.literal(1),
  /**
   * `e5/base.17/r0`: epoch of the attempt, task, attempt; `v5/…` for validation, `k5/…` for release's ranking,
   * `b5/…` for a benchmark.
   */
  id: z.string(),
  purpose: z.enum(['train', 'validation', 'rank', 'benchmark']),
  task: z.string(),
  family: z.string(),
  /** Its task's; absent where the run has one domain. */
  domain: z.string().optional(),
  epoch: z.int().nonnegative(),
  /** Policy version that sampled it. */
  version: z.string(),
  /**
   * The prompt in place of the task's, where the domain asks in words of its own (`agentPrompt`). Absent where the agent
   * read the task's prompt, and in records of older versions.
   */
  asked: z.array(messageSchema).optional(),
  /** The messages after the prompt: assistant turns and observations. */
  messages: z.array(messageSchema),
  /**
   * Only of an attempt that a program led: its other conversations. `messages` is then the one that was answered last,
   * from its first message on; the task's prompt is part of it only where the program sent it.
   */
  branches: z.array(branchSchema).optional(),
  sequences: z.array(sequenceSchema),
  /** Tokens over all turns by the server's own count, where it returned no ids: `sequences` are empty then. */
  counted: tokenCountsSchema.optional(),
  stopReason: z.enum(['stop', 'length', 'turns']),
  /** Where a server plays the episodes: the basis of verdicts, which the agent may not have seen. */
  steps: z.array(stepSchema).optional(),
  verdict: verdictSchema,
});
export type Trace = z.infer<typeof traceSchema>;
