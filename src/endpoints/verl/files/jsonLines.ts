/** JSON Lines that another process is writing: the last line may be torn, and trainers write NaN. */
import type * as z from 'zod';
import { parseSaid } from '../../../shared/json.ts';

/** Every line of this form; what is of another form, or not whole yet, is left out. */
export function linesOf<T>(text: string, schema: z.ZodType<T>): T[] {
  return text.split('\n').flatMap((line) => {
    // Python's NaN and Infinity are no JSON.
    const read = schema.safeParse(parseSaid(line.replace(/(?<=[:[,]\s*)(NaN|-?Infinity)(?=\s*[,}\]])/g, 'null')));
    return read.success ? [read.data] : [];
  });
}
