import type * as z from 'zod';
import { validate, type Place } from './parseLine.ts';

/**
 * Values as JSON lines. JSON has no NaN and no infinity and writes `null` in their place, which no reader accepts:
 * values with a `null` are checked against their schema before they are written.
 * @throws RunError `format` naming the field
 */
export function linesOf<T>(values: readonly T[], schema: z.ZodType<T>, version: number, place: Place): Buffer {
  const texts = values.map((value) => {
    const text = JSON.stringify(value);
    if (text.includes('null')) validate(value, schema, version, place);
    return text;
  });
  // One string to encode is several times faster than as many as there are values.
  return Buffer.from(`${texts.join('\n')}\n`);
}
