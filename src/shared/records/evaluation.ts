/** The manifest of a policy's evaluation on a benchmark: `manifest.json` beside its `answers.jsonl`. */
import * as z from 'zod';
import { endpointSchema } from '../experiment/endpoints/endpoint.ts';
import { unansweredSchema } from '../journal/events.ts';
import { traceSchema } from './trace.ts';

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
    /** `shipped`, `gold`, the name of a file of answers (`answers` in older ones), a run's id, an experiment's name. */
    source: z.string(),
    /** `agent@3`, with a suffix that distinguishes it from others of that name. */
    version: z.string(),
  }),
  /** A model that judges instead of the rule, described like the policy. */
  judge: z.strictObject({ source: z.string(), version: z.string() }).optional(),
  tasks: z.int().nonnegative(),
  /** SHA-256 over every task's prompt and judging data, hexadecimal. */
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
 * The request of an evaluation, for resuming it: `request.json` in its folder. Its paths are absolute, on the machine
 * where it began.
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

const count = z.int().nonnegative();

/** The completeness of an evaluation's source data: `data.json`. Older versions wrote none. */
export const evaluationDataSchema = z.strictObject({
  v: z.literal(evaluationVersion),
  /** Tasks that the splits have, before any are drawn. */
  tasks: count,
  splits: z.array(
    z.strictObject({
      name: z.string(),
      /** Records that became a task. */
      fit: count,
      /** The authors' count; null when the adapter does not state it. */
      expected: count.nullable(),
      /** Patterns that no file matches. */
      missing: z.array(z.string()),
    }),
  ),
  /** The faults of records and joins, and the first of them. */
  problems: count,
  example: z.string().nullable(),
});
export type EvaluationData = z.infer<typeof evaluationDataSchema>;

/** The tokens of one answer: a line of `tokens.jsonl`, apart from the answers, which are read whole. Older versions wrote none. */
export const answerTokensSchema = z.strictObject({
  v: z.literal(evaluationVersion),
  /** Of the answer. */
  id: z.string(),
  sequences: traceSchema.shape.sequences,
});

/** The end of an evaluation, and its unanswered attempts: `end.json`. Older versions wrote none. */
export const evaluationEndSchema = z.strictObject({
  v: z.literal(evaluationVersion),
  /** Attempts that were kept then: fewer are there where a file was damaged since. */
  answered: count,
  unanswered: unansweredSchema.optional(),
});
export type EvaluationEnd = z.infer<typeof evaluationEndSchema>;

/** Why figures over an evaluation's tasks are not its benchmark's own. */
export const unofficialSchema = z.discriminatedUnion('kind', [
  /** It has not come to its end. */
  z.strictObject({ kind: z.literal('unfinished'), answered: count, asked: count }),
  /** Tasks were drawn; `of` is null where the total was not recorded. */
  z.strictObject({ kind: z.literal('sample'), tasks: count, of: count.nullable() }),
  /** Files of a split are missing. */
  z.strictObject({ kind: z.literal('files'), split: z.string(), patterns: z.array(z.string()) }),
  /** A split has another number of tasks than its authors say. */
  z.strictObject({ kind: z.literal('records'), split: z.string(), fit: count, expected: count }),
  /** Something in the data does not fit. */
  z.strictObject({ kind: z.literal('problems'), count, example: z.string() }),
  /** The adapter does not say how many records a split has. */
  z.strictObject({ kind: z.literal('size'), split: z.string() }),
  /** The authors give figures for one split at a time. */
  z.strictObject({ kind: z.literal('splits'), splits: count }),
  /** An older version did not keep how whole the data was. */
  z.strictObject({ kind: z.literal('untold') }),
]);
export type Unofficial = z.infer<typeof unofficialSchema>;
