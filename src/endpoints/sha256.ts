/** SHA-256 as endpoints and their server write it; run folders, which this room cannot know, have their own. */
import { createHash } from 'node:crypto';

/** Of bytes, or of a text in UTF-8; hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
