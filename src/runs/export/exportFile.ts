import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../fileErrors.ts';

/**
 * Writes a file beside its place and moves it there when it is whole: an export that breaks off leaves no half file.
 * @throws RunError for what the disk refuses, and what `write` throws
 */
export async function exportFile<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const unfinished = `${file}.${process.pid}.part`;
  const stream = createWriteStream(unfinished);
  const done = finished(stream);
  try {
    const [result] = await Promise.all([
      write(stream).finally(() => {
        stream.end();
      }),
      done,
    ]);
    await rename(unfinished, file);
    return result;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw codeOf(error) === '' ? error : writeError(error, file);
  }
}
