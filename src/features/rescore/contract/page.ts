/** Messages between the host and the page that shows a run under another reward. */
import * as z from 'zod';
import { successRateSchema } from '../../../shared/journal/scores.ts';
import { event, request } from '../../../shared/rpc/contract.ts';

const count = z.int().nonnegative();
const change = <T extends z.ZodType>(of: T) => z.strictObject({ before: of, after: of });
/** Null where R_env under the other reward is not known. */
const reweighed = <T extends z.ZodType>(of: T) => z.strictObject({ before: of, after: of.nullable() });
const fateSchema = z.enum(['solved', 'failed', 'error']);

/**
 * The list's views: all flips, those to one fate, every other reward with the largest move first, advantages with the
 * other sign, or families that enter or leave the band.
 */
export const rescoreViews = ['flips', 'solved', 'failed', 'error', 'moved', 'turned', 'families'] as const;
const viewSchema = z.enum(rescoreViews);
export type RescoreView = z.infer<typeof viewSchema>;

const rescoreRowSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('flip'),
    /** Of the trace. */
    id: z.string(),
    epoch: count,
    fate: change(fateSchema),
    reward: change(z.number()),
    /** Where it has the other sign; else null. */
    advantage: change(z.number()).nullable(),
    /** The new reward's note. */
    note: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('family'),
    family: z.string(),
    epoch: count,
    enters: z.boolean(),
    /** p̂ of its judged attempts. */
    successRate: change(z.number().nullable()),
  }),
]);
export type RescoreRow = z.infer<typeof rescoreRowSchema>;

const meanSchema = z.strictObject({ mean: z.number().nullable(), low: z.number(), high: z.number() });

const rescoreResultSchema = z.strictObject({
  /** Grows with every scoring: rows of an older one are void. */
  number: count,
  attempts: count,
  /** Their tasks are not recorded. */
  leftOut: count,
  /** Families that were cut off by their recorded verdicts. */
  cutOff: count,
  fates: change(z.strictObject({ solved: count, failed: count, error: count })),
  /** Rows of each view of the list. */
  rows: z.record(viewSchema, count),
  /** Attempts with the same fate and another reward. */
  rewardsMoved: count,
  successRate: change(successRateSchema),
  baseSuccessRate: change(successRateSchema),
  validation: change(successRateSchema),
  environmentReward: change(meanSchema),
  families: count,
  inBand: change(count),
  familiesKept: reweighed(count),
  /** Of the regression's weights, the mean over epochs. */
  effectiveSampleSize: reweighed(z.number()),
  /** Share of the weight that goes to other families, the mean over epochs; null as above. */
  weightMoved: z.number().nullable(),
  advantages: z.strictObject({
    groups: change(count),
    attempts: count,
    turned: count,
    gained: count,
    lost: count,
    /** Mean |after − before| over those attempts. */
    meanChange: z.number(),
  }),
  epochs: z.array(
    z.strictObject({
      epoch: count,
      successRate: change(successRateSchema),
      environmentReward: change(meanSchema),
      inBand: change(count),
    }),
  ),
  /** Where the reward failed. */
  faults: z.array(
    z.strictObject({
      message: z.string(),
      /** `mine.reward.ts:12:3`; null where it is at no line. */
      place: z.string().nullable(),
      stack: z.string().nullable(),
      trace: z.string(),
      attempts: count,
    }),
  ),
  /** Attempts at which it failed at yet other places. */
  otherFaults: count,
});
export type RescoreResult = z.infer<typeof rescoreResultSchema>;

/** Verdicts that override the run's. */
const appliedSchema = z.strictObject({
  rescoring: z.string(),
  /** Name of the reward file. */
  reward: z.string(),
  author: z.string(),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  attempts: count,
});

const rescoreStateSchema = z.strictObject({
  /** Folder of the run. */
  run: z.string(),
  runName: z.string(),
  /** Path of the reward file, and how it is named in the workspace. */
  reward: z.string(),
  rewardName: z.string(),
  /** 0…1 while it is scored; null when it is not. */
  share: z.number().nullable(),
  /** The reward was saved since. */
  stale: z.boolean(),
  /** Why the last scoring gave nothing. */
  failure: z.string().nullable(),
  result: rescoreResultSchema.nullable(),
  /** The id of the rescoring by which this result overrides the run's verdicts. */
  appliedAs: z.string().nullable(),
  /** The newest rescoring that overrides the run's verdicts. */
  applied: appliedSchema.nullable(),
});
export type RescoreState = z.infer<typeof rescoreStateSchema>;

/** The page's saved state; the host restores it after a reload, without scoring. */
export const keptRescoreSchema = z.looseObject({ run: z.string(), reward: z.string(), view: viewSchema });

/** Host to page: with the page, and whenever it changed. */
export const rescored = event('rescored', rescoreStateSchema);
/** Page to host: rows [from, to) of a view. */
export const rescoreRows = request(
  'rescoreRows',
  z.strictObject({ view: viewSchema, from: count, to: count }),
  z.array(rescoreRowSchema),
);
/** Page to host: opens the trace of a row with the reward beside it, or the family in the tree. */
export const openRescoreRow = request('openRescoreRow', z.strictObject({ view: viewSchema, row: count }), z.null());
/** Page to host: goes to the line that failed, or opens the attempt at which it did first. */
export const openFault = request(
  'openFault',
  z.strictObject({ fault: count, what: z.enum(['line', 'trace']) }),
  z.null(),
);
/** Page to host: writes a table or a drawing where the person says; false when they thought better of it. */
export const saveRescore = request(
  'saveRescore',
  z.strictObject({ name: z.string(), kind: z.enum(['csv', 'svg']), text: z.string() }),
  z.boolean(),
);
/** Page to host: the actions of its buttons. */
export const rescoreAct = request(
  'rescoreAct',
  z.strictObject({ act: z.enum(['again', 'stop', 'apply', 'takeBack', 'branch', 'openReward']) }),
  z.null(),
);
export type RescoreAct = z.infer<typeof rescoreAct.params>['act'];
