import { userInfo } from 'node:os';
import { codeOf } from '../shared/systemError.ts';

/** The author for journals and notes. */
export function author(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A container may run as a user that has no name.
    if (codeOf(error) !== 'ERR_SYSTEM_ERROR') throw error;
    return 'someone';
  }
}
