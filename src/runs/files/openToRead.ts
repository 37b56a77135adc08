/** A file of a run, opened for reading by ranges. */
import { open, stat, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from './fileErrors.ts';

/** Null when the file is missing. @throws RunError `unreadable` */
export async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}

/** The number of the file that a path leads to now; null when it is missing. @throws RunError `unreadable` */
export async function fileAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).ino;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}

/** Fills `bytes` from a place in the file. @returns bytes read: fewer where the file ends */
export async function fill(handle: FileHandle, bytes: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < bytes.byteLength) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.byteLength - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** As `fill`, for a file whose path errors shall name. @throws RunError `unreadable` */
export async function fillFrom(handle: FileHandle, bytes: Buffer, position: number, path: string): Promise<number> {
  try {
    return await fill(handle, bytes, position);
  } catch (error) {
    throw readError(error, path);
  }
}
