/** Messages between the calibration dashboard and the host. */
import * as z from 'zod';
import { rewardNameSchema } from '../../shared/experiment/schema.ts';
import type { FamilyBlock } from '../../shared/calibration/familyColumns.ts';
import {
  changeMarkSchema,
  epochRowSchema,
  evaluationRowSchema,
  validationRowSchema,
} from '../../shared/report/schemas.ts';
import { event, request } from '../../shared/rpc/contract.ts';
import { silenceSchema } from '../../shared/rpc/silence.ts';

const count = z.int().nonnegative();

/** The run's identity and state, and the settings in force. */
const factsSchema = z.strictObject({
  /** Folder of the run. */
  run: z.string(),
  id: z.string(),
  name: z.string(),
  mode: z.enum(['coevolve', 'random', 'static', 'offline', 'release']),
  preset: z.string(),
  seed: count,
  state: z.enum(['running', 'paused', 'finished', 'failed', 'stopped', 'interrupted']),
  writer: z.enum(['here', 'elsewhere']).nullable(),
  /** Whether this window may start, steer or change runs. */
  trusted: z.boolean(),
  /** Why it ended, in words. */
  ending: z.string().nullable(),
  /** The epoch under way, else the last finished one. */
  epoch: count,
  epochsPlanned: count,
  curriculum: z.strictObject({
    reward: z.strictObject({ kind: rewardNameSchema, repetition: z.number() }),
    alpha: z.number(),
    beta: z.number(),
    lambda: z.number(),
    kMin: z.number(),
    keepBest: z.number().optional(),
    scope: z.enum(['epoch', 'family', 'task']),
    estimate: z.enum(['mean', 'posterior']),
    filter: z.enum(['hard', 'soft', 'off']),
    warmupEpochs: count,
    /** The mover of α from epoch to epoch; absent where nothing does. */
    alphaBy: z.enum(['course', 'controller']).optional(),
    /** Families outside the band are cut off. */
    cutsOff: z.literal(true).optional(),
  }),
  /** Fewest kept families for an update of the environment. */
  minFamilies: count,
  caps: z.strictObject({
    ...{ update: z.number().nullable(), total: z.number().nullable() },
    since: z.strictObject({ update: count.nullable(), total: count.nullable() }),
  }),
  trains: z.strictObject({ agent: z.boolean(), environment: z.boolean() }),
  validationEvery: count,
});
export type CalibrationFacts = z.infer<typeof factsSchema>;

/** The current activity; the two updates run side by side. */
const progressSchema = z.strictObject({
  phases: z.array(
    z.strictObject({
      phase: z.string(),
      epoch: count,
      done: z.number(),
      total: z.number(),
      /** A trainer does it as a job; null: it is done from here. */
      job: z.enum(['queued', 'running']).nullable(),
    }),
  ),
  pausing: z.enum(['no', 'boundary', 'now']),
  /** Its servers that answer nothing now. */
  silences: z.array(silenceSchema),
});
export type CalibrationProgress = z.infer<typeof progressSchema>;

/** Shaped rewards of an epoch's training attempts. */
const rewardRowSchema = z.strictObject({
  epoch: count,
  attempts: count,
  /** Means over all attempts. */
  reward: z.number(),
  success: z.number(),
  valid: z.number(),
  /** Means over `sampled` attempts, evenly spaced: a part is kept in the records alone. */
  parts: z.record(z.string(), z.number()),
  sampled: count,
});
export type RewardRow = z.infer<typeof rewardRowSchema>;

const u32 = z.instanceof(Uint32Array);
const f64 = z.instanceof(Float64Array);
const blockSchema = z
  .strictObject({
    epochs: z.array(
      z.strictObject({
        epoch: count,
        from: count,
        to: count,
        scope: z.enum(['epoch', 'family', 'task']),
        estimate: z.enum(['mean', 'posterior']),
        filter: z.enum(['hard', 'soft', 'off']),
        signalOf: rewardNameSchema.optional(),
      }),
    ),
    successes: u32,
    attempts: u32,
    effective: f64,
    weight: f64,
    kept: f64,
    tasks: u32,
    taskSuccesses: u32,
    taskAttempts: u32,
    taskSignals: f64,
    domain: u32,
    domains: z.array(z.string()),
  })
  .refine(
    ({ successes: { length }, attempts, effective, weight, kept, tasks, domain, ...of }) =>
      [attempts, effective, weight, kept, tasks].every((column) => column.length === length) &&
      domain.length <= length &&
      of.taskSuccesses.length === of.taskAttempts.length &&
      of.taskSignals.length <= of.taskAttempts.length,
    'columns of different lengths',
  ) satisfies z.ZodType<FamilyBlock>;

/** Rows replace those of the same epoch; families and marks are appended. */
const dataSchema = z.strictObject({
  rows: z.array(epochRowSchema),
  validations: z.array(validationRowSchema),
  evaluations: z.array(evaluationRowSchema),
  marks: z.array(changeMarkSchema),
  families: blockSchema.nullable(),
  rewards: z.array(rewardRowSchema),
});
export type CalibrationData = z.infer<typeof dataSchema>;

/** Names of one epoch's families, in the order of its columns. */
const detailSchema = z.strictObject({
  id: z.string(),
  plan: z.string(),
  complexity: z.record(z.string(), z.number()),
});
export type FamilyDetail = z.infer<typeof detailSchema>;

const nothing = z.null();

/** Host to page. `opened` begins a snapshot: the page drops its earlier data. */
export const calibrationEvents = {
  opened: event('opened', z.strictObject({ facts: factsSchema, progress: progressSchema })),
  data: event('data', dataSchema),
  /** The journal has been read to its end: later events are new. */
  complete: event('complete', nothing),
  facts: event('facts', factsSchema),
  progress: event('progress', progressSchema),
  /** The run cannot be read (further); the page keeps the data so far. */
  failed: event('failed', z.strictObject({ message: z.string(), remedy: z.string() })),
};

/** Page to host. */
export const calibrationRequests = {
  /** Ids and plans of an epoch's families. */
  details: request('details', z.strictObject({ epoch: count }), z.array(detailSchema)),
  /** Shows only these families in the Runs tree; p̂ from and to, epochs from and to, all included. */
  filter: request(
    'filter',
    z.strictObject({ epochs: z.tuple([count, count]), successRate: z.tuple([z.number(), z.number()]) }),
    nothing,
  ),
  /** Selects an epoch, or one family by its place in the epoch, in the Runs tree. */
  reveal: request('reveal', z.strictObject({ epoch: count, family: count.nullable() }), nothing),
  steer: request(
    'steer',
    z.strictObject({
      action: z.enum(['pause', 'pauseNow', 'resume', 'stop', 'branch']),
      /** Where to branch. */
      epoch: count.nullable(),
      /** Settings to begin the branch with: `curriculum.alpha=0.4`. */
      changes: z.array(z.string()).optional(),
    }),
    nothing,
  ),
  /** Changes settings of the run from its next phase boundary on. */
  apply: request(
    'apply',
    z.strictObject({ changes: z.array(z.strictObject({ field: z.string(), value: z.number() })).min(1) }),
    nothing,
  ),
  /** Asks for a place and writes a file there; false when the person thought better of it. */
  save: request(
    'save',
    z.strictObject({ name: z.string(), kind: z.enum(['csv', 'svg']), text: z.string() }),
    z.boolean(),
  ),
};
