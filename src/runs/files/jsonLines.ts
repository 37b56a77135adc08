import * as l10n from '@vscode/l10n';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from './fileErrors.ts';
import { RunError } from '../store/runError.ts';
import { fill, openToRead } from './openToRead.ts';

const newline = 10;
const chunkBytes = 2 ** 16;
/** Of one line: an event of a million families takes half of it, and no text of V8 could hold twice as much. */
const longestBytes = 2 ** 28;

/** One whole line: its bytes without the newline, its 0-based number and where it starts. */
export interface Line {
  bytes: Buffer;
  number: number;
  offset: number;
}

/**
 * Whole lines of a file from a byte offset on, a chunk's worth at a time; excludes bytes after the last newline. Line
 * buffers are views that stay valid after the next batch. A missing file has no lines.
 */
export async function* lineBatches(path: string, from = { offset: 0, number: 0 }): AsyncGenerator<Line[]> {
  const handle = await openToRead(path);
  if (handle === null) return;
  try {
    let { offset, number } = from;
    let carried: Buffer[] = [];
    let carriedBytes = 0;
    let position = offset;
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      const bytes = chunk.subarray(0, bytesRead);
      const lines: Line[] = [];
      let start = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        const piece = bytes.subarray(start, end);
        const line = carriedBytes === 0 ? piece : Buffer.concat([...carried, piece]);
        if (carriedBytes > 0) {
          carried = [];
          carriedBytes = 0;
        }
        lines.push({ bytes: line, number, offset });
        offset += line.byteLength + 1;
        number += 1;
        start = end + 1;
      }
      if (start < bytesRead) {
        carried.push(bytes.subarray(start));
        carriedBytes += bytesRead - start;
        if (carriedBytes > longestBytes) throw longLine(path, number);
      }
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    throw readError(error, path);
  } finally {
    await handle.close();
  }
}

const longLine = (path: string, number: number): RunError =>
  new RunError('format', {
    ...{ path, line: number + 1 },
    what: l10n.t('the line has more than {0} MB', longestBytes / 2 ** 20),
    remedy: l10n.t('No run writes such a line: restore the file from a copy.'),
  });

/** Bytes of a file; 0 when there is none. @throws RunError `unreadable` */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw readError(error, path);
  }
}

/** Whole lines of a file, the last one first, with their offsets; excludes bytes after the last newline. */
export async function* linesFromEnd(path: string): AsyncGenerator<{ bytes: Buffer; offset: number }> {
  const handle = await openToRead(path);
  if (handle === null) return;
  try {
    let position = (await handle.stat()).size;
    let reach = 16 * 2 ** 10;
    /** Pieces of the line that is being put together; null before the last newline was met. */
    let pieces: Buffer[] | null = null;
    while (position > 0) {
      const bytes = Buffer.allocUnsafe(Math.min(reach, position));
      position -= bytes.byteLength;
      await readFully(handle, bytes, position);
      let right = bytes.byteLength;
      while (right > 0) {
        const at = bytes.lastIndexOf(newline, right - 1);
        if (pieces !== null) pieces.unshift(bytes.subarray(at + 1, right));
        if (at === -1) break;
        if (pieces !== null) yield { bytes: Buffer.concat(pieces), offset: position + at + 1 };
        pieces = [];
        right = at;
      }
      reach = Math.min(chunkBytes, reach * 4);
    }
    if (pieces !== null) yield { bytes: Buffer.concat(pieces), offset: 0 };
  } catch (error) {
    throw readError(error, path);
  } finally {
    await handle.close();
  }
}

async function readFully(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  const read = await fill(handle, bytes, position);
  if (read < bytes.byteLength) throw new Error(l10n.t('the file became shorter while it was read'));
}

/** The bytes of a file from `start` up to `end`. @throws RunError `unreadable` */
export async function readRange(path: string, start: number, end: number): Promise<Buffer> {
  try {
    const handle = await open(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(end - start);
      await readFully(handle, bytes, start);
      return bytes;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw readError(error, path);
  }
}
