/** Where a person is in the page: all that is kept when it is hidden or loaded anew. */
import * as z from 'zod';
import { smoothings } from '../charts/smoothing/means.ts';

/** The axes of the charts. */
export const axes = ['epoch', 'rollouts', 'tokens', 'seconds'] as const;
export type Axis = (typeof axes)[number];

export const navigationSchema = z.object({
  /** Folders of the runs, in order: the host brings the panel back from them. */
  runs: z.array(z.string()),
  axis: z.enum(axes),
  smoothing: z.literal(smoothings).default(1),
  /** Of several, the domain that the charts are of; null is all together. */
  domain: z.string().nullable().default(null),
  /** Folders of runs that are switched off in the charts. */
  hidden: z.array(z.string()),
  allSettings: z.boolean(),
  /** Folders of the two runs compared task by task, and their epochs; null is the last that both were validated at. */
  pair: z.object({
    first: z.string(),
    second: z.string(),
    firstEpoch: z.int().nullable(),
    secondEpoch: z.int().nullable(),
  }),
});
export type Navigation = z.infer<typeof navigationSchema>;

export const start = (runs: readonly string[]): Navigation => ({
  runs: [...runs],
  axis: 'epoch',
  smoothing: 1,
  domain: null,
  hidden: [],
  allSettings: false,
  pair: { first: runs[0] ?? '', second: runs[1] ?? '', firstEpoch: null, secondEpoch: null },
});
