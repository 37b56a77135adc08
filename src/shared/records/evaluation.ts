/** What an evaluation of a policy on a benchmark says of itself: `manifest.json` beside its `answers.jsonl`. */
import * as z from 'zod';

/** Version of both files' format. */
export const evaluationVersion = 1;

const settingsSchema = z.strictObject({
  /** The adapter's name. */
  benchmark: z.string(),
  /** Of the scorer that judges: `bfcl`, `bamboogle`. */
  rule: z.string(),
  splits: z.array(z.string()),
  /** How many tasks were drawn of the splits; null for all. */
  sample: z.int().positive().nullable(),
  /** Of the draw and of sampling. */
  seed: z.int().nonnegative(),
  /** n, attempts a task. */
  attempts: z.int().positive(),
  temperature: z.number().nonnegative(),
  /** Of one answer. */
  maxTokens: z.int().positive(),
  policy: z.strictObject({
    /** `shipped`, `gold`, `answers`, a run's id, an experiment's endpoint. */
    source: z.string(),
    /** `agent@3`, with what tells it from another one of that name. */
    version: z.string(),
  }),
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
