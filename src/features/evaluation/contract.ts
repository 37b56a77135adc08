/** What the page of an evaluation and the host say to each other. */
import * as z from 'zod';
import { passAtKSchema } from '../../shared/journal/events.ts';
import { unofficialSchema } from '../../shared/records/evaluation.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const count = z.int().nonnegative();

const rowSchema = z.strictObject({
  category: z.string(),
  tasks: count,
  /** Attempts that were asked for. */
  asked: count,
  /** Of these, answered and judged ones. */
  attempts: count,
  successes: count,
  /** What was not answered or not judged is wrong. */
  pass: z.array(passAtKSchema),
  /** pass@1 of what was answered and judged, 0…1; null for nothing. */
  answered: z.number().nullable(),
});
export type EvaluationScoreRow = z.infer<typeof rowSchema>;

const stateSchema = z.strictObject({
  /** Absolute. */
  folder: z.string(),
  benchmark: z.string(),
  policy: z.strictObject({ source: z.string(), version: z.string() }),
  splits: z.array(z.string()),
  /** Null for all. */
  sample: count.nullable(),
  seed: count,
  tasks: count,
  /** n, attempts a task. */
  attempts: count,
  temperature: z.number(),
  maxTokens: count,
  /** Milliseconds since the Unix epoch. */
  begun: z.number(),
  /** Attempts that are kept, of those that are asked for. */
  answered: count,
  asked: count,
  running: z.boolean(),
  /** It is not whole, and how it was asked for is known. */
  canContinue: z.boolean(),
  rows: z.array(rowSchema),
  all: rowSchema,
  /** As the benchmark's authors compute them, 0…1, and of what was answered; null where there is none. */
  totals: z.array(
    z.strictObject({
      name: z.string(),
      value: z.number().nullable(),
      answered: z.number().nullable(),
      missing: z.array(z.string()).readonly(),
    }),
  ),
  /** Why there are no totals of the authors. */
  unofficial: z.array(unofficialSchema),
  /** Tables that the authors give beside their totals. */
  details: z.array(
    z.strictObject({
      name: z.string(),
      columns: z.array(z.string()).readonly(),
      rows: z
        .array(
          z.strictObject({ name: z.string(), cells: z.array(z.strictObject({ count, of: z.number() })).readonly() }),
        )
        .readonly(),
    }),
  ),
  /** Means over all attempts, and over what was answered and judged. */
  parts: z.array(z.strictObject({ name: z.string(), value: z.number(), answered: z.number().nullable() })),
  /** Attempts at which the checker failed. */
  errors: count,
  /** It came to its end: what is missing was not answered. */
  finished: z.boolean(),
  /** Why attempts were not answered, each cause once. */
  unanswered: z.array(z.strictObject({ cause: z.string(), count })),
  /** Null for what the paper does not measure; percent, and null where the paper's protocol differs from this one. */
  paper: z
    .strictObject({
      benchmark: z.string(),
      protocol: z.string(),
      differs: z.string().nullable(),
      models: z.record(z.string(), z.number()).nullable(),
    })
    .nullable(),
  /** Wrong attempts, and those that could not be judged. */
  failing: count,
  /** Lines of its files that cannot be read. */
  damaged: z.array(z.string()),
});
export type EvaluationState = z.infer<typeof stateSchema>;

/** An attempt that was not right. */
const failureSchema = z.strictObject({
  /** Of the trace. */
  id: z.string(),
  task: z.string(),
  category: z.string(),
  kind: z.enum(['wrong', 'unreadable', 'not judged']),
  note: z.string(),
});
export type EvaluationFailure = z.infer<typeof failureSchema>;

/** What the page keeps over a reload. */
export const keptEvaluationSchema = z.looseObject({ folder: z.string() });

/** Host to page: with the page, and whenever it changed. */
export const evaluationShown = event('evaluationShown', stateSchema);
/** Host to page: how far it has come. */
export const evaluationProgress = event(
  'evaluationProgress',
  z.strictObject({ done: count, total: count, right: count }),
);
/** Page to host: attempts that were not right, [from, to). */
export const failingAttempts = request(
  'failingAttempts',
  z.strictObject({ from: count, to: count }),
  z.array(failureSchema),
);
/** Page to host: opens an attempt as a document. */
export const openAttempt = request('openAttempt', z.strictObject({ id: z.string() }), z.null());
/** Page to host: what is missing is asked for. */
export const continueEvaluation = request('continueEvaluation', z.null(), z.null());
/** Page to host: what was answered is kept. */
export const stopEvaluation = request('stopEvaluation', z.null(), z.null());
/** Page to host: another evaluation is chosen, and the two are compared. */
export const compareWith = request('compareWith', z.null(), z.null());
