/** A study's results, and the messages between its page and the host. */
import * as z from 'zod';
import { event, request } from '../../../shared/rpc/contract.ts';

const count = z.int().nonnegative();
const maybe = z.number().nullable();

const measureHeadSchema = z.strictObject({
  label: z.string(),
  /** The unit of values: `share` in percent, `count` in rollouts. */
  unit: z.enum(['share', 'count', 'plain']),
  /** Whether more of it is better. */
  higher: z.boolean(),
});
export type MeasureHead = z.infer<typeof measureHeadSchema>;

const cellSchema = z.strictObject({
  /** A seed each, in the study's order; null where there is none yet. */
  values: z.array(maybe),
  mean: maybe,
  /** 95 % t interval over seeds; null under two. */
  low: maybe,
  high: maybe,
});
/** One arm on one measure. */
export type StudyCell = z.infer<typeof cellSchema>;

const armSchema = z.strictObject({
  name: z.string(),
  /** The arm of the file that it belongs to. */
  of: z.string(),
  /** Its place in the grid. */
  point: z.record(z.string(), z.json()),
  /** Runs that are. */
  finished: count,
  /** Why racing ended it; null where it did not. */
  dropped: z.string().nullable(),
  /** A measure each. */
  cells: z.array(cellSchema),
});

const comparisonSchema = z.strictObject({
  /** Places in the study's lists. */
  ...{ measure: count, arm: count, against: count },
  pairs: count,
  /** Mean of arm minus against, and its 95 % t interval. */
  ...{ difference: z.number(), low: z.number(), high: z.number() },
  p: z.number(),
  exact: z.boolean(),
  /** With Holm's correction over the family. */
  adjusted: z.number(),
  /** Below which p cannot fall with so many pairs. */
  least: z.number(),
  /** Hedges' g of the paired differences; null where they do not differ. */
  effect: maybe,
  /** Share of the seeds on which the arm has more. */
  better: z.number(),
  /** Chance to find the difference that would matter, at the level of the family's strictest test; first measure only. */
  power: maybe,
  /** Seeds for a chance of 80 %; null also where a thousand do not do. */
  seedsFor: count.nullable(),
});
/** Two arms on one measure, paired by seed. */
export type ComparisonResult = z.infer<typeof comparisonSchema>;

const bandSchema = z.strictObject({
  rollouts: z.array(z.number()),
  mean: z.array(maybe),
  /** 95 % t interval over seeds. */
  low: z.array(maybe),
  high: z.array(maybe),
});
/** An arm's mean course over the seeds. */
export type StudyBand = z.infer<typeof bandSchema>;

const curveSchema = z.strictObject({ rollouts: z.array(z.number()), values: z.array(maybe) });
export type StudyCurve = z.infer<typeof curveSchema>;

export const courses = ['validation', 'successRate'] as const;

const courseSchema = z.strictObject({
  /** An arm each. */
  bands: z.array(bandSchema),
  /** An arm each, a seed each. */
  seeds: z.array(z.array(curveSchema.nullable())),
});
export type StudyCourse = z.infer<typeof courseSchema>;

const studyResultsSchema = z.strictObject({
  name: z.string(),
  seeds: z.array(z.int()),
  runs: count,
  finished: count,
  budget: z.strictObject({ kind: z.enum(['rollouts', 'tokens', 'updates', 'seconds']), amount: z.number() }),
  measures: z.array(measureHeadSchema),
  arms: z.array(armSchema),
  /** Fields of the grid, and their values. */
  grid: z.record(z.string(), z.array(z.json())),
  comparisons: z.array(comparisonSchema),
  /** The comparisons that Holm's correction covers, in words. */
  family: z.string(),
  level: z.number(),
  test: z.string(),
  racing: z.string().nullable(),
  courses: z.strictObject({ validation: courseSchema, successRate: courseSchema }),
  /** A measure each, an arm each: runs that never reached the score, counted as the most rollouts of any run. */
  never: z.array(z.array(count)),
  sentences: z.array(z.string()),
});
export type StudyResults = z.infer<typeof studyResultsSchema>;

/** Host to page: everything. */
export const studyShown = event('studyShown', studyResultsSchema);
/** Page to host: read everything again. */
export const readAgain = request('readAgain', z.null(), z.null());
/** Page to host: opens the study's file. */
export const openStudyFile = request('openStudyFile', z.null(), z.null());
/** Page to host: writes the results as one HTML file, where the person says. */
export const exportStudyReport = request('exportStudyReport', z.null(), z.null());
/** Page to host: its runs in the table of runs. */
export const openStudyRuns = request('openStudyRuns', z.null(), z.null());
/** The page's saved state for a reload: the study's file. */
export const keptStudySchema = z.looseObject({ study: z.string() });
/** Host to page, before the results: which file it is about. */
export const studyNamed = event('studyNamed', keptStudySchema);
