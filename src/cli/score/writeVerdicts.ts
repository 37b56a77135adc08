import { closeSync, openSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { intoPlace } from '../../runs/export/intoPlace.ts';
import { codeOf } from '../../shared/systemError.ts';

type Lines = AsyncIterable<readonly string[]>;

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** The file appears when it is whole. @throws RunError, and what the lines' source throws */
export async function writeToFile(lines: Lines, path: string): Promise<void> {
  await intoPlace(path, async (unfinished) => {
    const file = openSync(unfinished, 'w');
    try {
      for await (const some of lines) writeFileSync(file, textOf(some));
    } finally {
      closeSync(file);
    }
  });
}

/** No faster than it is read. A reader that has enough (`| head`) ends it, and that is no failure. */
export async function writeToPipe(lines: Lines, { stdout }: NodeJS.Process): Promise<void> {
  const failed = new AbortController();
  stdout.on('error', (error: Error) => {
    failed.abort(error);
  });
  try {
    for await (const some of lines) {
      failed.signal.throwIfAborted();
      if (!stdout.write(textOf(some))) await once(stdout, 'drain', { signal: failed.signal });
    }
  } catch (error) {
    if (codeOf(failed.signal.aborted ? failed.signal.reason : error) !== 'EPIPE') throw error;
  }
}
