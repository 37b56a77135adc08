/** What an evaluation of a policy on a benchmark says of itself: `manifest.json` beside its `answers.jsonl`. */
import * as z from 'zod';
import { endpointSchema } from '../experiment/endpoint.ts';

/** Version of both files' format. */
export const evaluationVersion = 1;

/** How much is asked, and how answers are sampled. */
const askedSchema = z.strictObject({
  /** How many tasks were drawn of the splits; null for all. */
  sample: z.int().positive().nullable(),
  /** Of the draw and of sampling. */
  seed: z.int().nonnegative(),
  /** n, attempts a task. */
  attempts: z.int().positive(),
  temperature: z.number().nonnegative(),
  /** Of one answer. */
  maxTokens: z.int().positive(),
});

const settingsSchema = z.strictObject({
  /** The adapter's name. */
  benchmark: z.string(),
  /** Of the scorer that judges: `bfcl`, `bamboogle`. */
  rule: z.string(),
  splits: z.array(z.string()),
  ...askedSchema.shape,
  policy: z.strictObject({
    /** `shipped`, `gold`, `answers`, a run's id, an experiment's endpoint. */
    source: z.string(),
    /** `agent@3`, with what tells it from another one of that name. */
    version: z.string(),
  }),
  /** A model that judges in the rule's place, told as the policy is. */
  judge: z.strictObject({ source: z.string(), version: z.string() }).optional(),
  tasks: z.int().nonnegative(),
  /** SHA-256 of every task as it is posed and judged, hexadecimal. */
  digest: z.string(),
});
/** All that an answer depends on: answers of equal settings belong together. */
export type EvaluationSettings = z.infer<typeof settingsSchema>;

export const evaluationManifestSchema = z.strictObject({
  v: z.literal(evaluationVersion),
  /** Milliseconds since the Unix epoch. */
  begun: z.number(),
  settings: settingsSchema,
});
export type EvaluationManifest = z.infer<typeof evaluationManifestSchema>;

/**
 * How an evaluation is asked for, so that it can be carried on: `request.json` in its folder. Its paths are absolute and of
 * the machine that it was begun on.
 */
export const evaluationRequestSchema = z.strictObject({
  /** Paths of the adapter's file and of the benchmark's data. */
  adapter: z.string(),
  data: z.string(),
  /** All when empty. */
  splits: z.array(z.string()),
  ...askedSchema.shape,
  /** Whose agent judges the answers; the rule alone when null. */
  judge: z.strictObject({ name: z.string(), endpoint: endpointSchema }).nullable(),
  policy: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('shipped') }),
    z.strictObject({ kind: z.literal('gold') }),
    /** Of a file of answers. */
    z.strictObject({ kind: z.literal('answers'), path: z.string() }),
    /** An agent that nothing has trained yet, where it lives. Its key is a reference. */
    z.strictObject({ kind: z.literal('endpoint'), name: z.string(), endpoint: endpointSchema }),
    /** Of a run, by its folder; null for its newest version. */
    z.strictObject({ kind: z.literal('run'), run: z.string(), version: z.string().nullable() }),
  ]),
});
export type EvaluationRequest = z.infer<typeof evaluationRequestSchema>;
