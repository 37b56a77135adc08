import { chmodSync, closeSync, openSync, renameSync, rmSync, statSync, type Stats } from 'node:fs';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../files/fileErrors.ts';
import { refuseOwnFile } from '../files/ownFiles.ts';
import { unfinishedName } from '../files/unfinished.ts';

/**
 * Writes a file beside its place and moves it there when complete: a failure leaves no partial file. A device or pipe
 * (/dev/null) is written directly, since a file moved over it would replace it for everyone. Those who may read and write
 * a file that is there stay the same.
 * @throws RunError for the disk's errors and for files of a run, and the errors of `write`
 */
export async function intoPlace<T>(file: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  refuseOwnFile(file);
  const before = found(file);
  // Something other than a file.
  const inPlace = before !== null && !before.isFile() && !before.isDirectory();
  const unfinished = inPlace ? file : unfinishedName(file);
  try {
    if (!inPlace && before?.isFile() === true) begin(unfinished, before.mode & 0o777);
    const result = await write(unfinished);
    if (!inPlace) renameSync(unfinished, file);
    return result;
  } catch (error) {
    if (!inPlace) rmSync(unfinished, { force: true });
    throw codeOf(error) === '' ? error : writeError(error, file);
  }
}

/** An empty file with a mode, which stays when it is written. Private until it has its mode. */
function begin(path: string, mode: number): void {
  closeSync(openSync(path, 'wx', 0o600));
  // Disks without modes give every file the same one, and refuse to change it.
  if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
}

/** Null for none. */
function found(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}
