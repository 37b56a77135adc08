/** What the experiment form and the host say to each other. The document is the host's; the form shows it and asks for edits. */
import * as z from 'zod';
import { experimentSchema } from '../../shared/experiment/schema.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const valueSchema = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** One field's new value; without `to` it is left out of the file, so that the preset's counts. */
const editSchema = z.strictObject({
  path: z.array(z.string()).min(1),
  to: z.union([valueSchema, z.record(z.string(), valueSchema)]).optional(),
});
const editsSchema = z.array(editSchema);

const problemSchema = z.strictObject({
  line: z.int(),
  column: z.int(),
  field: z.string(),
  message: z.string(),
  remedy: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type FormProblem = z.infer<typeof problemSchema>;

/** The file as it is now, unsaved changes included. */
const documentSchema = z.strictObject({
  file: z.string(),
  /** What it says; null while it cannot be read. */
  written: z.record(z.string(), z.unknown()).nullable(),
  problems: z.array(problemSchema),
  /** Whether runs may be started here. */
  trusted: z.boolean(),
});
export type FormDocument = z.infer<typeof documentSchema>;

/** A run under way that was started from this file. */
const runSchema = z.strictObject({
  dir: z.string(),
  name: z.string(),
  /** The last one that was finished. */
  epoch: z.int(),
  epochs: z.int(),
  state: z.enum(['running', 'paused', 'interrupted']),
  /** The settings it goes by now. */
  experiment: experimentSchema,
  /** Changes asked of it that wait for their phase: `curriculum.alpha=0.6`. */
  asked: z.array(z.string()),
});
export type FormRun = z.infer<typeof runSchema>;

/** Host to form. */
export const documentChanged = event('document', documentSchema);
export const runChanged = event('run', runSchema.nullable());
/** Scrolls to a field and puts the focus into it. */
export const showField = event('field', z.strictObject({ field: z.string() }));
/** What was typed and not yet asked for: the document is about to be saved. */
export const takePending = request('pending', z.null(), editsSchema);

/** Form to host. */
export const edit = request('edit', editsSchema, z.null());
export const openText = request('text', z.strictObject({ line: z.int(), column: z.int() }).nullable(), z.null());
export const startRun = request('start', z.null(), z.null());
export const checkExperiment = request('check', z.null(), z.null());
/** Lets a person choose a file; null when they did not. The name is relative to the experiment. */
export const browse = request('browse', z.strictObject({ field: z.string() }), z.string().nullable());
export const applyToRun = request('apply', z.strictObject({ run: z.string(), changes: z.array(z.string()) }), z.null());
export const openCalibration = request('calibration', z.strictObject({ run: z.string() }), z.null());
export const saveFile = request(
  'save',
  z.strictObject({ name: z.string(), kind: z.enum(['csv', 'svg']), text: z.string() }),
  z.null(),
);
