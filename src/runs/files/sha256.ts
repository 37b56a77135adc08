/** SHA-256 as run folders and their journals have it: hexadecimal. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Of bytes, or of a text in UTF-8. */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Of a file's bytes. @throws the system's errors */
export const fileSha256 = async (path: string): Promise<string> => sha256(await readFile(path));
