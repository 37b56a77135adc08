import { readdir } from 'node:fs/promises';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from './fileErrors.ts';

/** Names of what a folder holds; none where it is missing. @throws RunError `unreadable` */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw readError(error, folder);
  }
}
