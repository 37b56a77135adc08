/** Wire schemas of a run's course: rows, validations and marks as `data.ts` describes them. */
import { controlSchema } from '../journal/control.ts';
import * as z from 'zod';
import { curriculumSettingsSchema } from '../journal/curriculum.ts';
import { passAtKSchema, successRateSchema } from '../journal/scores.ts';
import { writtenQualitySchema } from '../journal/quality.ts';
import { epochTimelineSchema } from './timeline.ts';
import type { ChangeMark, DomainRow, EpochRow, EvaluationRow, ValidationRow } from './data.ts';

const number = z.number();
const count = z.int().nonnegative();
const maybe = number.nullable();
const numbers = z.record(z.string(), number);

const measuredSchema = z.strictObject({
  successRate: successRateSchema.nullable(),
  baseSuccessRate: successRateSchema.nullable(),
  inBand: maybe,
  environmentReward: maybe,
  families: count,
  spread: z.strictObject({ tooHard: count, inBand: count, tooEasy: count, lowest: number, highest: number }).nullable(),
  teaching: z.strictObject({ tasks: count, mixed: number, learnability: number, reliability: maybe }).optional(),
  familiesKept: count,
  effectiveSampleSize: maybe,
  written: count,
  accepted: count,
  rejected: numbers,
  quality: writtenQualitySchema.nullable(),
  complexity: numbers,
  taskLength: maybe,
  answerLength: maybe,
  rollouts: count,
  truncated: count,
  invalid: count,
  checkerErrors: count,
});

const domainRowSchema = measuredSchema.extend({ domain: z.string() }) satisfies z.ZodType<DomainRow>;

export const epochRowSchema = measuredSchema.extend({
  epoch: count,
  curriculum: curriculumSettingsSchema,
  control: controlSchema.optional(),
  domains: z.array(domainRowSchema).optional(),
  fellOut: z
    .strictObject({
      ...{ groups: count, of: count, attempts: count, tokens: count },
      expected: z.strictObject({ counted: number, dropped: number }).optional(),
    })
    .optional(),
  late: count.optional(),
  groups: z.strictObject({ solved: count, hopeless: count, trained: count, broken: count }).nullable(),
  versions: z.strictObject({ agent: z.string(), environment: z.string() }),
  agent: z.strictObject({
    klInitial: maybe,
    klUpdate: maybe,
    entropy: maybe,
    gradNorm: maybe,
    mismatch: z.strictObject({ v1: number, v2: number }).optional(),
    skipped: z.string().nullable(),
  }),
  environment: z.strictObject({
    klInitial: maybe,
    klUpdate: maybe,
    entropy: maybe,
    gradNorm: maybe,
    steps: maybe,
    stoppedBy: z.enum(['end', 'update-cap', 'total-cap']).nullable(),
    skipped: z.string().nullable(),
  }),
  crossPlay: z
    .strictObject({
      version: z.string(),
      rollouts: count,
      cells: z.array(
        z.strictObject({ tasks: count, agent: count, version: z.string(), successes: count, attempts: count }),
      ),
      absent: z.array(z.string()),
    })
    .optional(),
  seconds: z.strictObject({
    generate: maybe,
    attempt: maybe,
    agent: maybe,
    environment: maybe,
    validate: maybe,
    other: maybe,
    whole: maybe,
  }),
  slots: z.array(z.strictObject({ roles: z.array(z.enum(['agent', 'environment'])), busy: number })).optional(),
  timeline: epochTimelineSchema.optional(),
  tokens: z.strictObject({ generate: count, attempt: count.nullable() }),
}) satisfies z.ZodType<EpochRow>;

const changeSchema = z.strictObject({
  single: z.boolean(),
  ...{ gained: count, lost: count, difference: number, low: number, high: number },
});

const comparedSchema = z.strictObject({
  measure: z.strictObject({ epoch: count, fields: z.array(z.string()) }).nullable(),
  against: count.nullable(),
});

const validatedSchema = z.strictObject({
  successRate: successRateSchema,
  truncated: count.nullable(),
  answerLength: maybe,
  change: changeSchema.nullable(),
  unpaired: z.enum(['tasks', 'attempts']).nullable(),
});

export const validationRowSchema = validatedSchema.extend({
  epoch: count,
  ...comparedSchema.shape,
  domains: z.array(validatedSchema.extend({ domain: z.string() })).optional(),
}) satisfies z.ZodType<ValidationRow>;

export const evaluationRowSchema = z.strictObject({
  epoch: count,
  benchmark: z.string(),
  tasks: count,
  of: count.nullable(),
  whole: z.boolean().nullable(),
  attempts: count,
  pass: z.array(passAtKSchema),
  answered: z.strictObject({ attempts: count, successes: count }).nullable(),
  truncated: count.nullable(),
  ...comparedSchema.shape,
  change: changeSchema.nullable(),
}) satisfies z.ZodType<EvaluationRow>;

export const changeMarkSchema = z.strictObject({
  epoch: count,
  text: z.string(),
  author: z.string(),
}) satisfies z.ZodType<ChangeMark>;
