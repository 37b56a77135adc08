import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { intoPlace } from './intoPlace.ts';

/**
 * Has a stream written to a file, which appears when it is whole.
 * @throws RunError for what the disk refuses, and what `write` throws
 */
export async function exportFile<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  return intoPlace(file, async (unfinished) => {
    const stream = createWriteStream(unfinished);
    const done = finished(stream);
    const [result] = await Promise.all([
      write(stream).finally(() => {
        stream.end();
      }),
      done,
    ]);
    return result;
  });
}
