import { renameSync, rmSync, statSync } from 'node:fs';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../files/fileErrors.ts';
import { refuseOwnFile } from '../files/ownFiles.ts';

/**
 * Writes a file beside its place and moves it there when complete: a failure leaves no partial file. A device or pipe
 * (/dev/null) is written directly, since a file moved over it would replace it for everyone.
 * @throws RunError for the disk's errors and for files of a run, and the errors of `write`
 */
export async function intoPlace<T>(file: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  refuseOwnFile(file);
  const inPlace = isSpecial(file);
  const unfinished = inPlace ? file : `${file}.${process.pid}.part`;
  try {
    const result = await write(unfinished);
    if (!inPlace) renameSync(unfinished, file);
    return result;
  } catch (error) {
    if (!inPlace) rmSync(unfinished, { force: true });
    throw codeOf(error) === '' ? error : writeError(error, file);
  }
}

/** Whether something other than a file is there. */
function isSpecial(path: string): boolean {
  try {
    const found = statSync(path);
    return !found.isFile() && !found.isDirectory();
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}
