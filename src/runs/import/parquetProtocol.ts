/** Messages between the reader of a parquet file and the thread that decodes it. */
import * as z from 'zod';

/** Rows of one group from an offset; the thread keeps the group until another one is requested. */
export const parquetJobSchema = z.strictObject({
  file: z.string(),
  group: z.int().nonnegative(),
  from: z.int().nonnegative(),
});
export type ParquetJob = z.infer<typeof parquetJobSchema>;

export const parquetAnswerSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('rows'),
    /** Each as JSON, with all digits of its numbers. */
    rows: z.array(z.string()),
    /** Where the next rows are; null at the end. */
    next: z.strictObject({ group: z.int(), from: z.int() }).nullable(),
  }),
  z.strictObject({ type: z.literal('refused'), message: z.string() }),
  /** The file itself cannot be read; `code` is the system's. */
  z.strictObject({ type: z.literal('unreadable'), code: z.string(), message: z.string() }),
]);
export type ParquetAnswer = z.infer<typeof parquetAnswerSchema>;
