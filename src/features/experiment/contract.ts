/**
 * Messages between the experiment form and the host. The host owns the document; the form shows it and requests edits.
 */
import * as z from 'zod';
import { experimentSchema } from '../../shared/experiment/schema.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const valueSchema = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** One field's new value; without `to` it is removed from the file, so that the preset's value applies. */
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

/** The file's current text, unsaved changes included. */
const documentSchema = z.strictObject({
  file: z.string(),
  /** Its parsed content; null while it cannot be read. */
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
  /** The settings in force. */
  experiment: experimentSchema,
  /** Changes asked of it that wait for their phase: `curriculum.alpha=0.6`. */
  asked: z.array(z.string()),
});
export type FormRun = z.infer<typeof runSchema>;

const tokensUsedSchema = z.strictObject({ prompt: z.number(), sampled: z.number(), trained: z.number() });

/** Spent by the shared epochs; the budgets of the branch count it, too. */
const sharedSchema = z.strictObject({
  tokens: z.number(),
  rollouts: z.number(),
  seconds: z.number(),
  used: z.strictObject({ agent: tokensUsedSchema, environment: tokensUsedSchema }),
  /** The budget that ended the last of them early. */
  cut: z.object({ by: z.enum(['cost', 'hours']), budget: z.number() }).nullable(),
  /** Whether the start was measured. */
  validated: z.boolean(),
  evaluated: z.boolean(),
});

/** The run that this file is a draft of a branch of. */
const branchSchema = z.strictObject({
  name: z.string(),
  /** The last epoch that the branch shares; 0 is before the first. */
  epoch: z.int(),
  /** A reward that counts by its file of now, also under its old name; null for none. */
  reward: z.string().nullable(),
  /** Epochs that have kept their checkpoints. */
  epochs: z.array(z.int()),
  shared: sharedSchema,
  /** The run's settings at that epoch. */
  experiment: experimentSchema,
});
export type FormBranch = z.infer<typeof branchSchema>;

const countsSchema = z.record(z.string(), z.int().nonnegative());

/** The basis of a run's time and cost before it starts, besides its settings. */
const basisSchema = z.strictObject({
  /** Of the newest run on these endpoints that finished an epoch; null where there is none. */
  pace: z
    .strictObject({
      run: z.string(),
      secondsPerToken: z.number(),
      tokensPerAttempt: z.number(),
      billedPerToken: z.number(),
    })
    .nullable(),
  /** Tasks counted so far in the files that it names, by their domain's name, and those of its benchmark. */
  counts: z.strictObject({ base: countsSchema, heldOut: countsSchema, evaluation: z.int().nonnegative().nullable() }),
});
export type FormBasis = z.infer<typeof basisSchema>;

/** Host to form. */
export const documentChanged = event('document', documentSchema);
export const runChanged = event('run', runSchema.nullable());
export const branchChanged = event('branchOf', branchSchema.nullable());
/** The run that it was made from to be begun anew; null for every other file. */
export const rerunChanged = event('rerunOf', z.strictObject({ name: z.string() }).nullable());
export const basisChanged = event('basis', basisSchema);
/** Scrolls to a field and puts the focus into it. */
export const showField = event('field', z.strictObject({ field: z.string() }));
/** Requests the typed text that is not yet sent: the document is about to be saved. */
export const takePending = request('pending', z.null(), editsSchema);

/** Form to host. */
export const edit = request('edit', editsSchema, z.null());
export const openText = request('text', z.strictObject({ line: z.int(), column: z.int() }).nullable(), z.null());
export const startRun = request('start', z.null(), z.null());
export const checkExperiment = request('check', z.null(), z.null());
/** Lets a person choose a file; null when they did not. The name is relative to the experiment. */
export const browse = request('browse', z.strictObject({ field: z.string() }), z.string().nullable());
export const applyToRun = request('apply', z.strictObject({ run: z.string(), changes: z.array(z.string()) }), z.null());
/** Makes the branch with these changes to the run's settings, and continues it. */
export const makeBranch = request(
  'branch',
  z.strictObject({ changes: z.array(z.string()), name: z.string().nullable() }),
  z.null(),
);
export const branchAt = request('branchAt', z.strictObject({ epoch: z.int() }), z.null());
export const openCalibration = request('calibration', z.strictObject({ run: z.string() }), z.null());
export const saveFile = request(
  'save',
  z.strictObject({ name: z.string(), kind: z.enum(['csv', 'svg']), text: z.string() }),
  z.null(),
);
