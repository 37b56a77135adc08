/** The name of a file until it is complete. */
import { randomBytes } from 'node:crypto';

/** Beside its place, so that a rename moves it there; another one each time, as one process may write a file twice at once. */
export const unfinishedName = (path: string): string => `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
