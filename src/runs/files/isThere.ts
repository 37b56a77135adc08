import { stat } from 'node:fs/promises';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from './fileErrors.ts';

/** Whether there is a file or folder, complete or not. @throws RunError `unreadable` where the system does not tell */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw readError(error, path);
  }
}
