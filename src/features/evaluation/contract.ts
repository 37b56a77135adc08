/** Messages between the page of an evaluation and the host. */
import * as z from 'zod';
import { passAtKSchema } from '../../shared/journal/scores.ts';
import { unofficialSchema } from '../../shared/records/evaluation.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const count = z.int().nonnegative();

const rowSchema = z.strictObject({
  category: z.string(),
  tasks: count,
  /** Requested attempts. */
  asked: count,
  /** Of these, answered and judged ones. */
  attempts: count,
  successes: count,
  /** Unanswered and unjudged attempts are wrong. */
  pass: z.array(passAtKSchema),
  /** pass@1 over answered and judged attempts, 0…1; null for none. */
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
  /** Recorded attempts, of those requested. */
  answered: count,
  asked: count,
  running: z.boolean(),
  /** It is incomplete, and its request is known. */
  canContinue: z.boolean(),
  rows: z.array(rowSchema),
  all: rowSchema,
  /** By the authors' formulas, 0…1, and over the answered attempts; null for none. */
  totals: z.array(
    z.strictObject({
      name: z.string(),
      value: z.number().nullable(),
      answered: z.number().nullable(),
      missing: z.array(z.string()).readonly(),
    }),
  ),
  /** Why there are no totals by the authors' formulas. */
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
  /** Means over all attempts, and over those answered and judged. */
  parts: z.array(z.strictObject({ name: z.string(), value: z.number(), answered: z.number().nullable() })),
  /** Attempts at which the checker failed. */
  errors: count,
  /** It has ended: missing attempts were not answered. */
  finished: z.boolean(),
  /** Why attempts were not answered, each cause once. */
  unanswered: z.array(z.strictObject({ cause: z.string(), count })),
  /** Null for figures that the paper lacks; percent, and null where the paper's protocol differs from this one. */
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
  /** Attempts that ended at the limit of tokens an answer. */
  cutOff: count,
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

/** The page's saved state for a reload. */
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
/** Page to host: requests the missing attempts. */
export const continueEvaluation = request('continueEvaluation', z.null(), z.null());
/** Page to host: stops; recorded answers are kept. */
export const stopEvaluation = request('stopEvaluation', z.null(), z.null());
/** Page to host: another evaluation is chosen, and the two are compared. */
export const compareWith = request('compareWith', z.null(), z.null());

const pairSideSchema = z.strictObject({
  /** Absolute. */
  folder: z.string(),
  /** The policy and where it lives. */
  name: z.string(),
  attempts: count,
  /** pass@1 on the shared tasks, 0…1. */
  pass: z.number(),
});

const pairRowSchema = z.strictObject({
  task: z.string(),
  category: z.string(),
  kind: z.enum(['gained', 'lost', 'missed']),
  /** Right attempts of those asked for. */
  rights: z.tuple([z.string(), z.string()]),
});
/** A task that two evaluations share. */
export type PairRow = z.infer<typeof pairRowSchema>;

const pairStateSchema = z.strictObject({
  benchmark: z.string(),
  sides: z.tuple([pairSideSchema, pairSideSchema]),
  /** The difference, its test, and what it leaves out. */
  findings: z.array(z.string()),
  /** Tasks that both solved as often. */
  equal: count,
  rows: z.array(pairRowSchema),
});
export type PairState = z.infer<typeof pairStateSchema>;

/** The saved state of a page of two evaluations. */
export const keptPairSchema = z.looseObject({ folders: z.tuple([z.string(), z.string()]) });
/** Host to page: two evaluations, task by task. */
export const pairShown = event('pairShown', pairStateSchema);
/** Page to host: opens both answers to a task beside each other. */
export const openPair = request('openPair', z.strictObject({ task: z.string() }), z.null());
