import type { z } from 'zod';
import { validate, type Place } from './parseLine.ts';

/**
 * One line of JSON, newline included. JSON has no NaN and no infinity and writes `null` in their place, which no reader
 * would take back: what holds a `null` is checked against its schema before it can spoil a file.
 * @throws RunError `format` naming the field
 */
export function lineOf<T>(value: T, schema: z.ZodType<T>, version: number, place: Place): Buffer {
  const text = JSON.stringify(value);
  if (text.includes('null')) validate(value, schema, version, place);
  return Buffer.from(`${text}\n`);
}
