/** Where a person is in the page: all that is kept when it is hidden or loaded anew. */
import { rewardNameSchema } from '../../src/shared/experiment/schema.ts';
import * as z from 'zod';
import { smoothings } from '../charts/smoothing/means.ts';

const pair = z.tuple([z.number(), z.number()]);

export const navigationSchema = z.object({
  run: z.string(),
  /** The epoch looked at; null is always the newest. */
  looked: z.int().nullable(),
  /** Of several, the domain looked at; null is all together. */
  domain: z.string().nullable().default(null),
  view: z.object({ x: pair, y: pair }).nullable(),
  selection: z.object({ epochs: pair, rates: pair }).nullable(),
  drag: z.enum(['select', 'pan']),
  whatIf: z
    .object({
      ...{ alpha: z.number(), beta: z.number(), lambda: z.number(), kMin: z.number() },
      keepBest: z.number().optional(),
      reward: z.object({ kind: rewardNameSchema, repetition: z.number() }).optional(),
    })
    .nullable(),
  /** Of the lines over epochs. */
  smoothing: z.literal(smoothings).default(1),
  /** How the phase portrait measures difficulty; null is the domain's first measure. */
  measure: z.string().nullable().default(null),
  whatIfOver: z.enum(['looked', 'selection', 'all']),
});
export type Navigation = z.infer<typeof navigationSchema>;

export const start = (run: string): Navigation => ({
  run,
  looked: null,
  domain: null,
  view: null,
  selection: null,
  drag: 'select',
  whatIf: null,
  smoothing: 1,
  measure: null,
  whatIfOver: 'looked',
});
