/** The page's state while it is hidden or reloaded: the user's place, and unfinished text. Pure. */
import * as z from 'zod';
import { taskOrders } from '../../src/features/tasks/contract.ts';
import { pendingSchema } from './pendingTexts.ts';

/** In percent. */
export const usualShare = 42;

export const navigationSchema = z.strictObject({
  query: z.strictObject({ text: z.string(), order: z.enum(taskOrders), descending: z.boolean() }),
  /** The task that was shown. */
  id: z.string().nullable(),
  pending: pendingSchema,
  /** The list's share of the page's width, in percent. */
  share: z.number().default(usualShare),
});
export type Navigation = z.infer<typeof navigationSchema>;

export const start: Navigation = {
  query: { text: '', order: 'written', descending: false },
  ...{ id: null, pending: [], share: usualShare },
};
