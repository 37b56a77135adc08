/** Schemas of what goes over a wire of a run's course: rows, validations and marks as `data.ts` describes them. */
import * as z from 'zod';
import { curriculumSettingsSchema, passAtKSchema, successRateSchema } from '../journal/events.ts';
import { writtenQualitySchema } from '../journal/quality.ts';
import type { ChangeMark, EpochRow, EvaluationRow, ValidationRow } from './data.ts';

const number = z.number();
const count = z.int().nonnegative();
const maybe = number.nullable();
const numbers = z.record(z.string(), number);

export const epochRowSchema = z.strictObject({
  epoch: count,
  curriculum: curriculumSettingsSchema,
  successRate: successRateSchema.nullable(),
  baseSuccessRate: successRateSchema.nullable(),
  /** p̂ by domain, where the run has several. */
  domains: z.array(z.strictObject({ domain: z.string(), successRate: successRateSchema })).optional(),
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
  groups: z.strictObject({ solved: count, hopeless: count, trained: count, broken: count }).nullable(),
  agent: z.strictObject({ klInitial: maybe, klUpdate: maybe, entropy: maybe, skipped: z.string().nullable() }),
  environment: z.strictObject({
    klInitial: maybe,
    klUpdate: maybe,
    steps: maybe,
    stoppedBy: z.enum(['end', 'update-cap', 'total-cap']).nullable(),
    skipped: z.string().nullable(),
  }),
  seconds: z.strictObject({
    generate: maybe,
    attempt: maybe,
    agent: maybe,
    environment: maybe,
    validate: maybe,
    other: maybe,
    whole: maybe,
  }),
  tokens: z.strictObject({ generate: count, attempt: count }),
}) satisfies z.ZodType<EpochRow>;

const changeSchema = z.strictObject({ gained: count, lost: count, difference: number, low: number, high: number });

export const validationRowSchema = z.strictObject({
  epoch: count,
  successRate: successRateSchema,
  answerLength: maybe,
  change: changeSchema.nullable(),
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
  change: changeSchema.nullable(),
}) satisfies z.ZodType<EvaluationRow>;

export const changeMarkSchema = z.strictObject({
  epoch: count,
  text: z.string(),
  author: z.string(),
}) satisfies z.ZodType<ChangeMark>;
