import * as z from 'zod';
import { messageSchema } from './message.ts';
import { tokenCountsSchema } from './tokenCounts.ts';

const toolSpecSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export type ToolSpec = z.infer<typeof toolSpecSchema>;

/** How an answer is judged. `kind` names a scorer rule; the rest is the rule's own. */
const evaluationSpecSchema = z.looseObject({ kind: z.string() });
export type EvaluationSpec = z.infer<typeof evaluationSpecSchema>;

/** The structured target action or reference answer, as the scorer compares it. */
const goldSchema = z.string();
export type Gold = z.infer<typeof goldSchema>;

/** Token ids and logprobs of the environment policy's own text, kept for its update. */
const generationSchema = z.strictObject({
  /** Policy version that wrote it. */
  version: z.string(),
  /** The conversation it was asked in, its plan's turn included. */
  context: z.array(messageSchema).optional(),
  /** Full sequence: context, then plan and task text. */
  tokens: z.array(z.int().nonnegative()),
  /** Generated positions as [start, end) pairs into `tokens`. */
  spans: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
  /** Logprobs of the generated tokens, in order, as sampled. */
  logprobs: z.array(z.number()),
  /** By the server's own count, where it returned no ids: `tokens` are empty then. */
  counted: tokenCountsSchema.optional(),
  /**
   * Its plan is paid for by a record of its own (`completions.jsonl`), or by another text. Absent in records of older versions: each
   * counts its plan, where the server returned no ids the first one of a plan.
   */
  planPaid: z.literal(true).optional(),
  text: z.string(),
});
export type Generation = z.infer<typeof generationSchema>;

/** Independent answers to a new task, requested because its gold cannot be executed. */
const agreementSchema = z.strictObject({
  /** The number of requested answers, and of those that agree with the gold. */
  answers: z.int().positive(),
  agreeing: z.int().nonnegative(),
  /** Their tokens: prompts and answers. */
  tokens: z.int().nonnegative(),
  /** Of these, the prompts'. Older versions told neither this nor who answered. */
  prompt: z.int().nonnegative().optional(),
  by: z.enum(['environment', 'agent']).optional(),
});
export type Agreement = z.infer<typeof agreementSchema>;

/** Where a task of a file that was made for training on it comes from (`genenv make-tasks`). Holds no secrets. */
export const provenanceSchema = z.strictObject({
  /** The run that accepted it, and its id there; absent for a task that a user requested from a policy. */
  run: z.string().optional(),
  task: z.string().optional(),
  /** Where its author lives and which model that is: a kind, or a server's address without user and key. */
  endpoint: z.string(),
  model: z.string(),
  /** Policy version that wrote it. */
  version: z.string(),
  /** When it was written into the file: ISO 8601, UTC. */
  at: z.string(),
  /** The filter beside parsing, verification and novelty; '' for none. */
  filter: z.string(),
  /** p̂ that the filter read. */
  measured: z
    .strictObject({ version: z.string(), successes: z.int().nonnegative(), attempts: z.int().positive() })
    .optional(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

export const rejectionSchema = z.enum([
  'unparseable',
  'schema',
  'gold',
  'plan',
  'duplicate',
  'held-out',
  'truncated',
  'too-long',
]);
/** Why a generated text did not become a task. */
export type Rejection = z.infer<typeof rejectionSchema>;

/** The result of a domain's parser before the loop names and files it. */
export const taskDraftSchema = z.strictObject({
  prompt: z.array(messageSchema),
  tools: z.array(toolSpecSchema).optional(),
  evaluation: evaluationSpecSchema,
  gold: goldSchema.nullable(),
  /**
   * Measures of its difficulty that people can read: steps, distractors. Numbers only, so that charts can follow them.
   */
  complexity: z.record(z.string(), z.number()),
  /** The plan it was written from, '' without one. */
  plan: z.string(),
  /** Which of a run's several domains it is of; absent where the run has one. */
  domain: z.string().optional(),
});
export type TaskDraft = z.infer<typeof taskDraftSchema>;

/** One task, or one rejected attempt of the environment policy at writing one. */
export const taskSchema = taskDraftSchema.extend({
  v: z.literal(1),
  /** `e3.f2.v1` for generated ones: epoch, family, variation. */
  id: z.string(),
  family: z.string(),
  epoch: z.int().nonnegative(),
  origin: z.enum(['base', 'generated', 'offline', 'validation']),
  /** Seed task it varies. */
  seed: z.string().nullable(),
  status: z.enum(['accepted', 'rejected']),
  cause: rejectionSchema.optional(),
  note: z.string().optional(),
  generation: generationSchema.optional(),
  agreement: agreementSchema.optional(),
  provenance: provenanceSchema.optional(),
});
export type Task = z.infer<typeof taskSchema>;
