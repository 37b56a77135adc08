import { open } from 'node:fs/promises';
import type { FileOperations } from './fileOperations.ts';
import { codeOf, readError, writeError } from './fileErrors.ts';
import { readLastLine } from './jsonLines.ts';
import { parseOrUndefined } from './parseLine.ts';

/** What was cut from the end of a file. */
export interface Cut {
  path: string;
  bytes: number;
  /** How the cut bytes began, for a person. */
  text: string;
}

/**
 * Cuts what a crashed writer left at the end of a file of JSON lines: bytes without a newline, and before them last
 * lines that are no JSON (blocks that never reached the device read as zeros). Null when there was nothing to cut.
 * @throws RunError `disk-full`, `unwritable`, `unreadable`
 */
export async function cutTornTail(files: FileOperations, path: string): Promise<Cut | null> {
  const tail = await readLastLine(path);
  const last = tail.lines.at(-1);
  const end = last !== undefined && parseOrUndefined(last.bytes.toString()) === undefined ? last.offset : tail.wholeEnd;
  if (end === tail.size) return null;
  const text = await readStart(path, end, Math.min(200, tail.size - end));
  try {
    const file = await files.openForWriting(path);
    try {
      await file.truncate(end);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeError(error, path);
  }
  return { path, bytes: tail.size - end, text };
}

async function readStart(path: string, position: number, length: number): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      await handle.read(bytes, 0, length, position);
      return bytes.toString().replaceAll('\0', '·').replaceAll('\uFFFD', '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw readError(error, path);
  }
}
