/** Messages between the table of runs and the host. */
import * as z from 'zod';
import { successRateSchema } from '../../shared/journal/scores.ts';
import { event, request } from '../../shared/rpc/contract.ts';

const count = z.int().nonnegative();
const maybe = z.number().nullable();

export const runStates = ['running', 'paused', 'interrupted', 'failed', 'stopped', 'finished'] as const;

const figuresSchema = z.strictObject({
  rollouts: count,
  tokens: count.nullable(),
  /** Worked at by the clock. */
  seconds: z.number(),
  /** Of the last validation; null without. */
  validation: maybe,
  /** The last validation minus the first, task by task, with its 95 % interval. */
  gain: z.strictObject({ difference: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** Seconds until its end, if it were resumed; null where unknown, and for a finished one. */
  left: maybe,
  /** In the unit of the prices; null where an endpoint that was used has none. */
  cost: maybe,
});
/** The figures that need a run's journal. */
export type RunFigures = z.infer<typeof figuresSchema>;

const rowSchema = z.strictObject({
  dir: z.string(),
  id: z.string(),
  name: z.string(),
  experiment: z.string(),
  state: z.enum(runStates),
  mode: z.string(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  /** Finished ones. */
  epoch: count,
  /** The epoch under way, else the last finished one. */
  current: count,
  epochs: count,
  /** Of the last finished epoch. */
  successRate: successRateSchema.nullable(),
  /** Share of families in the band; null before there is an epoch. */
  inBand: maybe,
  /** Of the same epoch; the one that the run was started with until its journal was read. */
  band: z.strictObject({ alpha: z.number(), kMin: z.number() }),
  seed: count,
  /** Settings that are not the same in all runs of its experiment file, or of its study. */
  differs: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  note: z.string(),
  archived: z.boolean(),
  study: z.strictObject({ name: z.string(), arm: z.string(), seed: count }).nullable(),
  /** The run that it is a branch of, and the last epoch that they share. */
  parent: z.strictObject({ dir: z.string(), epoch: count }).nullable(),
  /** Another process or this window writes it. */
  written: z.boolean(),
  /** Null until its journal was read. */
  figures: figuresSchema.nullable(),
});
/** One run as the table shows it. */
export type RunRow = z.infer<typeof rowSchema>;

const dirs = z.array(z.string()).min(1);

const changeSchema = z.strictObject({
  name: z.string().nullable().optional(),
  addTags: z.array(z.string()).optional(),
  removeTags: z.array(z.string()).optional(),
  pinned: z.boolean().optional(),
  note: z.string().optional(),
  archived: z.boolean().optional(),
});
export type LabelAsk = z.infer<typeof changeSchema>;

/** Host to page: every run, when the page is there. */
export const runsShown = event('runsShown', z.strictObject({ rows: z.array(rowSchema) }));
/** Host to page: rows that are new or changed, and folders that are gone. */
export const runsChanged = event(
  'runsChanged',
  z.strictObject({ rows: z.array(rowSchema), gone: z.array(z.string()) }),
);
/** Host to page: shows only the runs of this group, as when the table is opened from a study. */
export const runsWanted = event('runsWanted', z.strictObject({ study: z.string() }));
/** Page to host: changes the labels of runs. */
export const labelRuns = request('labelRuns', z.strictObject({ runs: dirs, change: changeSchema }), z.null());
/** Page to host: opens a run's calibration. */
export const openRun = request('openRun', z.strictObject({ run: z.string() }), z.null());
/** Page to host: compares two or more. */
export const compareRuns = request('compareRuns', z.strictObject({ runs: dirs }), z.null());
/** Page to host: asks, then moves them to the trash. */
export const deleteRuns = request('deleteRuns', z.strictObject({ runs: dirs }), z.null());
/** Page to host: writes a file where the person says. */
export const saveTable = request('saveTable', z.strictObject({ name: z.string(), text: z.string() }), z.null());
