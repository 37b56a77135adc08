import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../fileErrors.ts';

/**
 * Writes a file beside its place and moves it there when it is whole: an export that breaks off leaves no half file. A
 * device or pipe (/dev/null) is written to as it is: a file moved over it would take its place for everyone.
 * @throws RunError for what the disk refuses, and what `write` throws
 */
export async function exportFile<T>(file: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const inPlace = await isSpecial(file);
  const unfinished = inPlace ? file : `${file}.${process.pid}.part`;
  const stream = createWriteStream(unfinished);
  const done = finished(stream);
  try {
    const [result] = await Promise.all([
      write(stream).finally(() => {
        stream.end();
      }),
      done,
    ]);
    if (!inPlace) await rename(unfinished, file);
    return result;
  } catch (error) {
    if (!inPlace) await rm(unfinished, { force: true });
    throw codeOf(error) === '' ? error : writeError(error, file);
  }
}

/** Whether something other than a file is there. */
async function isSpecial(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return !found.isFile() && !found.isDirectory();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}
