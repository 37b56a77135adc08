/** Messages between the study form and the host. The host owns the document; the form shows it and requests edits. */
import * as z from 'zod';
import { experimentSchema } from '../../shared/experiment/schema.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const path = z.array(z.union([z.string(), z.int().nonnegative()])).min(1);

/** A value's new value or new name; without either it is left out of the file. */
const editSchema = z.strictObject({ path, to: z.unknown().optional(), rename: z.string().optional() });
const editsSchema = z.array(editSchema);
export type StudyEdit = z.infer<typeof editSchema>;

const placeSchema = z.strictObject({ line: z.int(), column: z.int() });
const problemSchema = placeSchema.extend({
  /** The study's file, or its base. */
  file: z.string(),
  field: z.string(),
  message: z.string(),
  remedy: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type StudyProblem = z.infer<typeof problemSchema>;

/** The file's current text, unsaved changes included. */
const documentSchema = z.strictObject({
  file: z.string(),
  /** Its parsed content; null while it cannot be read. */
  written: z.record(z.string(), z.unknown()).nullable(),
  /** Why it cannot be. */
  problems: z.array(problemSchema),
  /** Whether runs may be started here. */
  trusted: z.boolean(),
});
export type StudyDocument = z.infer<typeof documentSchema>;

const count = z.number().nonnegative();

/** Arms, work and faults of the file, worked out a moment after it changed. */
const planSchema = z.strictObject({
  /** Experiments of the workspace, as the file would name them. */
  experiments: z.array(z.string()),
  /** The base as its file has it; null while none is named that can be read. */
  base: experimentSchema.nullable(),
  /** Names of the arms, each with its place in the grid. */
  arms: z.array(z.string()),
  work: z
    .strictObject({
      arms: count,
      seeds: count,
      runs: count,
      /** Null where the budget does not tell. */
      rollouts: count.nullable(),
      /** At most. */
      tokens: count.nullable(),
    })
    .nullable(),
  /** One run after another; null where no run on the base's endpoints has finished an epoch. */
  forecast: z
    .strictObject({
      run: z.string(),
      seconds: z.strictObject({ epoch: z.number().nullable(), run: z.number() }),
      tokens: z.number(),
      cost: z.strictObject({ hours: z.number(), sampling: z.number() }).nullable(),
    })
    .nullable(),
  problems: z.array(problemSchema),
});
export type StudyPlan = z.infer<typeof planSchema>;

/** Host to form. */
export const documentChanged = event('document', documentSchema);
export const planChanged = event('plan', planSchema);
/** Requests the typed text that is not yet sent: the document is about to be saved. */
export const takePending = request('pending', z.null(), editsSchema);

/** Form to host. */
export const edit = request('edit', editsSchema, z.null());
export const openText = request('text', placeSchema.nullable(), z.null());
export const runStudy = request('run', z.null(), z.null());
export const openResults = request('results', z.null(), z.null());
export const openBase = request('base', z.null(), z.null());
export const newExperiment = request('newExperiment', z.null(), z.null());
/** Lets a person choose a file for a field; null when they did not. */
export const browse = request('browse', z.strictObject({ field: z.string() }), z.string().nullable());
