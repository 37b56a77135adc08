import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { intoPlace } from './intoPlace.ts';

/**
 * Writes a stream to a file, which appears when it is complete.
 * @throws RunError for the disk's errors, and the errors of `write`
 */
export async function exportFile<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  return intoPlace(file, async (unfinished) => {
    const stream = createWriteStream(unfinished);
    const done = finished(stream);
    try {
      const [result] = await Promise.all([write(stream).finally(() => stream.end()), done]);
      return result;
    } catch (error) {
      // A file that is only about to be opened would appear after its removal.
      stream.destroy();
      await done.catch(() => undefined);
      throw error;
    }
  });
}
