import { renameSync, rmSync, statSync } from 'node:fs';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../files/fileErrors.ts';
import { refuseOwnFile } from '../files/ownFiles.ts';

/**
 * Has a file written beside its place and moves it there when it is whole: what breaks off leaves no half file. A device or
 * pipe (/dev/null) is written to as it is: a file moved over it would take its place for everyone.
 * @throws RunError for what the disk refuses and for files of a run, and what `write` throws
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
