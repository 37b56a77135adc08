import * as z from 'zod';
import { parseLiteral } from '../python/literal.ts';
import { plainValue } from '../python/value.ts';

/** The query's constraints beside days and budget; null where there are none. */
const constraintsSchema = z.object({
  'house rule': z.string().nullable(),
  cuisine: z.array(z.string()).nullable(),
  'room type': z.string().nullable(),
  transportation: z.string().nullable(),
});

/** In the official data set it is the text of a Python dict. */
const constraintsText = z.string().transform((text, context) => {
  try {
    return plainValue(parseLiteral(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    context.addIssue({ code: 'custom', message: `not a Python literal (${error.message})` });
    return z.NEVER;
  }
});

/** A number, which a table has as text. */
const written = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number),
]);

/** A query of the data set, as far as scoring asks for it. */
export const querySchema = z.object({
  org: z.string(),
  /** A city, for trips of more than three days a state. */
  dest: z.string(),
  days: written.pipe(z.int().min(1)),
  visiting_city_number: written,
  people_number: written,
  local_constraint: z.union([constraintsSchema, constraintsText.pipe(constraintsSchema)]),
  budget: written,
});

export type Query = z.infer<typeof querySchema>;
