import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { writeError } from '../fileErrors.ts';
import { writeJsonLines } from './writeJsonLines.ts';

/**
 * Writes values as the JSON lines of a file and gives how many. Written beside its place and moved there when it is
 * whole: an export that breaks off leaves no half file. @throws RunError, and what the values' source throws
 */
export async function exportFile(lines: AsyncIterable<unknown>, file: string): Promise<number> {
  const unfinished = `${file}.${process.pid}.part`;
  const stream = createWriteStream(unfinished);
  const done = finished(stream);
  try {
    const [count] = await Promise.all([
      writeJsonLines(lines, stream).finally(() => {
        stream.end();
      }),
      done,
    ]);
    await rename(unfinished, file);
    return count;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw writeError(error, file);
  }
}
