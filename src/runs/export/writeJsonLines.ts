import type { Writable } from 'node:stream';
import { writeLines } from './writeLines.ts';

/** Writes values as JSON lines, as `writeLines` does. */
export const writeJsonLines = (values: AsyncIterable<unknown>, out: Writable): Promise<number> =>
  writeLines(jsonTexts(values), out);

export async function* jsonTexts(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield JSON.stringify(value);
}
