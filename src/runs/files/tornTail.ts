import { open } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { FileOperations } from './fileOperations.ts';
import { readError, writeError } from './fileErrors.ts';
import { linesFromEnd, sizeOf } from './jsonLines.ts';
import { isJson } from './longLine.ts';
import { RunError } from '../store/runError.ts';

/** The rest of a crashed writer's line at the end of a file of JSON lines. */
export interface TornTail {
  path: string;
  /** Where it starts: the end of the last good line. */
  offset: number;
  bytes: number;
  /** How it begins, for a person. */
  text: string;
}

/** How every line of a run's files begins. */
const opening = '{"v":';

/**
 * Bytes without a newline, and before them a last line that is not valid JSON (blocks that never reached the device
 * read as zeros). Null when the file ends well.
 * @throws RunError `format` when none of our writers can have left the file's end; `unreadable`
 */
export async function findTornTail(path: string): Promise<TornTail | null> {
  const size = await sizeOf(path);
  let offset = 0;
  for await (const last of linesFromEnd(path)) {
    const torn = !(await isJson(last.bytes));
    offset = torn ? last.offset : last.offset + last.bytes.byteLength + 1;
    break;
  }
  // Beyond it when a writer appended in between.
  if (offset >= size) return null;
  const bytes = size - offset;
  const text = await readStart(path, offset, Math.min(200, bytes));
  const written = text.replaceAll(/[\0\n]/g, '').slice(0, opening.length);
  if (!opening.startsWith(written)) {
    throw new RunError('format', {
      path,
      what: l10n.t('it ends in something that is not a line of a run: {0}', JSON.stringify(text.slice(0, 40))),
      remedy: l10n.t('Restore the file from a copy, or take that end away; nothing was changed.'),
    });
  }
  return { path, offset, bytes, text: text.replaceAll('\0', '·') };
}

/** @throws RunError `disk-full`, `unwritable` */
export async function cutTornTail(files: FileOperations, { path, offset }: TornTail): Promise<void> {
  try {
    const file = await files.openForWriting(path);
    try {
      await file.truncate(offset);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeError(error, path);
  }
}

async function readStart(path: string, position: number, length: number): Promise<string> {
  try {
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await handle.read(bytes, 0, length, position);
      // A cut may fall inside a character.
      return bytes
        .subarray(0, bytesRead)
        .toString()
        .replace(/\uFFFD$/, '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readError(error, path);
  }
}
