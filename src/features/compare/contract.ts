/** Messages between the host and the page that compares runs. */
import * as z from 'zod';
import { successRateSchema } from '../../shared/journal/scores.ts';
import { event, request } from '../../shared/rpc/contract.ts';

/** Largest number of runs that are distinguishable in one chart. */
export const mostRuns = 8;

const count = z.int().nonnegative();
const maybe = z.number().nullable();

/** A run's costs up to some point. */
const spentSchema = z.strictObject({ rollouts: count, tokens: count.nullable(), seconds: z.number() });

const comparedEpochSchema = z.strictObject({
  epoch: count,
  spent: spentSchema,
  /** Null when nothing was measured. */
  successRate: successRateSchema.nullable(),
  inBand: z.number(),
  environmentReward: maybe,
  taskLength: maybe,
  answerLength: maybe,
  klAgent: maybe,
  klEnvironment: maybe,
  entropyAgent: maybe,
  entropyEnvironment: maybe,
  gradNormAgent: maybe,
  gradNormEnvironment: maybe,
  /** Of this epoch alone. */
  tokens: count.nullable(),
  seconds: z.number(),
  /** Of each domain, where the run has several. */
  domains: z
    .array(
      z.strictObject({
        domain: z.string(),
        successRate: successRateSchema.nullable(),
        ...{ inBand: z.number(), environmentReward: maybe },
      }),
    )
    .optional(),
});
/** One finished epoch. */
export type ComparedEpoch = z.infer<typeof comparedEpochSchema>;

const comparedValidationSchema = z.strictObject({
  epoch: count,
  spent: spentSchema,
  successRate: successRateSchema,
  domains: z.array(z.strictObject({ domain: z.string(), successRate: successRateSchema })).optional(),
});
/** One validation; epoch 0 is before any training. */
export type ComparedValidation = z.infer<typeof comparedValidationSchema>;

const comparedStateSchema = z.enum(['running', 'paused', 'finished', 'failed', 'stopped', 'interrupted', 'gone']);

const comparedRunSchema = z.strictObject({
  dir: z.string(),
  id: z.string(),
  name: z.string(),
  state: comparedStateSchema,
  epochsPlanned: count,
  epochs: z.array(comparedEpochSchema),
  validations: z.array(comparedValidationSchema),
  /** Every setting as it was at the start, of a branch at its parent's, by path, as text; and where it changed: `0.5 → 0.4 (epoch 12)`. */
  settings: z.record(z.string(), z.string()),
});
/** One run as the page shows it. */
export type ComparedRun = z.infer<typeof comparedRunSchema>;

const changesSchema = z.strictObject({
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  tasks: count,
  /** Whether every task had one attempt in both. */
  single: z.boolean(),
  /** Tasks solved: sums of their shares of solved attempts. */
  before: z.number(),
  after: z.number(),
  gained: count,
  lost: count,
});

const pairSchema = z.discriminatedUnion('comparable', [
  z.strictObject({
    comparable: z.literal(true),
    paired: changesSchema,
    /** Of how many tasks each was validated on; more than `paired.tasks` when the sets only overlap. */
    of: z.tuple([count, count]),
    /** Further differences in how the two were measured, as settings' paths. */
    measured: z.array(z.string()),
    /** Tasks that one solved and the other did not; of several attempts, more often. */
    changed: z.array(z.strictObject({ task: z.string(), gained: z.boolean() })),
  }),
  z.strictObject({
    comparable: z.literal(false),
    why: z.enum(['no-shared-tasks', 'not-validated', 'unknown-tasks', 'unknown-attempts']),
  }),
]);
/** Two validations, task by task. */
export type Pair = z.infer<typeof pairSchema>;

/** The page's saved state for a reload. */
export const keptSchema = z.looseObject({ runs: z.array(z.string()) });

const at = z.strictObject({ run: z.string(), epoch: count });

/** Host to page: everything, when the page is there. */
export const opened = event('opened', z.strictObject({ runs: z.array(comparedRunSchema) }));
/** Host to page: growth of one run. */
export const grown = event(
  'grown',
  comparedRunSchema.pick({ dir: true, state: true, epochs: true, validations: true, settings: true }),
);
/** Page to host: the second against the first. */
export const pair = request('pair', z.strictObject({ first: at, second: at }), pairSchema);
/** Page to host: opens a validation task of a run. */
export const openTask = request('openTask', z.strictObject({ run: z.string(), task: z.string() }), z.null());
/** Page to host: opens a run's calibration. */
export const openRun = request('openRun', z.strictObject({ run: z.string() }), z.null());
/** Page to host: other runs instead of these. */
export const choose = request('choose', z.null(), z.null());
/** Page to host: writes a file where the person says. */
export const save = request(
  'save',
  z.strictObject({ name: z.string(), kind: z.enum(['csv', 'svg']), text: z.string() }),
  z.null(),
);
