/**
 * A study file (`*.study.json`): one question asked of many runs. A base experiment, arms (named changes of it), a grid
 * of values, seeds, the budget of every run, measures and comparisons.
 */
import * as z from 'zod';

export const studyVersion = 1;

const share = z.number().min(0).max(1);
/** Dotted fields of an experiment and their values: `{ "curriculum.alpha": 0.4 }`. */
const changes = z.record(z.string().min(1), z.json()).describe('Dotted fields of the experiment, and their values.');

const last = z.int().positive().default(5).describe('The mean of so many of the last validations.');

const measureSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('validation'), last }).describe('Success on held-out tasks at the end.'),
  z.strictObject({ kind: z.literal('gain'), last }).describe('Success at the end minus before training.'),
  z.strictObject({ kind: z.literal('evaluation') }).describe('pass@1 of the last evaluation on the benchmark.'),
  z
    .strictObject({ kind: z.literal('band'), low: share.default(0.4), high: share.default(0.6) })
    .describe('Share of the epochs of the second half whose p̂ lies between low and high.'),
  z
    .strictObject({
      kind: z.literal('difficulty'),
      of: z.string().min(1).nullable().default(null).describe('The domain’s measure; null: the first it has.'),
    })
    .describe('By how much written tasks grew over the run at the same p̂: a regression on epoch and logit p̂.'),
  z
    .strictObject({ kind: z.literal('reaches'), score: share, last })
    .describe('Rollouts until validation, smoothed, reaches the score; the most of any run where it never does.'),
]);
/** A measure reduces a run to one number. */
export type Measure = z.infer<typeof measureSchema>;

const stopSchema = z.discriminatedUnion('rule', [
  z
    .strictObject({
      rule: z.literal('halving'),
      rounds: z.int().min(2).max(8).default(3),
      keep: z.number().gt(0).lt(1).default(0.5),
    })
    .describe('Successive halving: after equal parts of the budget only the best share of the arms goes on.'),
  z
    .strictObject({ rule: z.literal('sequential') })
    .describe('After every seed, an arm that an always-valid test tells from the reference needs no further seeds.'),
]);

export const studySchema = z.strictObject({
  version: z.literal(studyVersion),
  name: z.string().min(1).max(100),
  base: z.string().min(1).describe('The experiment that every arm changes: a path from this file.'),
  arms: z
    .record(z.string().min(1).max(60), changes)
    .default({})
    .describe('Named changes of the base; {} is the base as it is. Without arms the base is the one arm.'),
  grid: z
    .record(z.string().min(1), z.array(z.json()).min(1))
    .default({})
    .describe('Fields and the values to go through: every arm with every combination.'),
  seeds: z
    .array(
      z
        .int()
        .nonnegative()
        .max(2 ** 31 - 1),
    )
    .min(1),
  bySeed: z
    .record(z.string().min(1), z.array(z.json()).min(1))
    .default({})
    .describe('Fields with one value for each of the seeds, in their order: warm starts, base and held-out tasks.'),
  budget: z
    .strictObject({
      rollouts: z.int().positive().optional(),
      tokens: z.int().positive().optional(),
      updates: z.int().positive().optional(),
      seconds: z.number().positive().optional(),
    })
    .describe('What every run gets the same of: exactly one. Of updates: of the agent.'),
  measures: z
    .array(measureSchema)
    .min(1)
    .default([{ kind: 'validation', last: 5 }]),
  comparison: z
    .strictObject({
      reference: z.string().min(1).nullable().default(null).describe('Compared with each other arm; null: the first.'),
      pairs: z.enum(['reference', 'all']).default('reference'),
      test: z.enum(['sign-flip', 'wilcoxon', 'bootstrap']).default('sign-flip'),
      level: z.number().gt(0).lt(0.5).default(0.05).describe('Chance of any false finding in the whole family.'),
      difference: z
        .number()
        .positive()
        .default(0.02)
        .describe('A difference that would matter, of the first measure: what power is told for.'),
    })
    .default({ reference: null, pairs: 'reference', test: 'sign-flip', level: 0.05, difference: 0.02 }),
  stop: stopSchema.nullable().default(null).describe('Racing: null lets every run go to its end.'),
});
/** A study file with its defaults filled in. */
export type Study = z.infer<typeof studySchema>;

export const budgetKinds = ['rollouts', 'tokens', 'updates', 'seconds'] as const;
export type BudgetKind = (typeof budgetKinds)[number];
/** The one that the file names. */
export interface Budget {
  kind: BudgetKind;
  amount: number;
}

const count = z.int().nonnegative();
const series = z.array(z.number().nullable());

/** A study's record of a finished run, so that a thousand of them open without their journals. */
export const memberSummarySchema = z.strictObject({
  rollouts: count,
  /** Null where those of some attempts are not known; older versions counted these as 0. */
  tokens: count.nullable(),
  seconds: z.number().nonnegative(),
  epochs: count,
  updates: count,
  ending: z.string(),
  /** An epoch each: successes and attempts of p̂, mean complexity of the tasks by the domain's measures. */
  successes: z.array(count),
  attempts: z.array(count),
  complexity: z.record(z.string(), series),
  /** A validation each: rollouts before it, and its success rate. */
  validatedAt: z.array(count),
  validation: series,
  /** Of the last one; null without. */
  evaluation: z.number().nullable(),
});
export type MemberSummary = z.infer<typeof memberSummarySchema>;
