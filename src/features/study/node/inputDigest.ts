import { fileSha256 } from '../../../runs/files/sha256.ts';
import { codeOf } from '../../../shared/systemError.ts';

/** In place of a digest: of a folder, a benchmark's name, or a file that is missing. */
export const unread = 'unread';

/** SHA-256 of a file that settings name; `unread` where there is none: the run itself says so, with its own remedy. */
export async function inputDigest(path: string): Promise<string> {
  try {
    return await fileSha256(path);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return unread;
  }
}
