/** How an epoch's α was chosen, where it has a controller (`curriculum.control`). */
import * as z from 'zod';

const count = z.int().nonnegative();

/** The controller’s measure. */
const controlMeasureSchema = z.enum(['gain', 'learnability', 'success']);
export type ControlMeasure = z.infer<typeof controlMeasureSchema>;

export const controlSchema = z.strictObject({
  measure: controlMeasureSchema,
  /** Why α is what it is; `window`: still being measured. */
  why: z.enum([
    ...(['start', 'window', 'first', 'better', 'worse', 'chance', 'unmeasured'] as const),
    ...(['above', 'below', 'held'] as const),
  ]),
  /** The first epoch of the window that this α holds for. */
  since: z.int().positive(),
  /** The measure over the epochs of the last full window, with its standard error; null where there is none. */
  seen: z.strictObject({ from: count, to: count, value: z.number(), error: z.number() }).nullable(),
  /** Where the next step goes that nothing speaks against. */
  direction: z.union([z.literal(1), z.literal(-1)]),
});
export type Control = z.infer<typeof controlSchema>;

/** With the α that was chosen. */
export interface Controlled extends Control {
  alpha: number;
}
