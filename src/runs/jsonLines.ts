import { open, type FileHandle } from 'node:fs/promises';
import { codeOf, readError } from './fileErrors.ts';

const newline = 10;
const chunkBytes = 2 ** 20;

/** One whole line: its bytes without the newline, its 0-based number and where it starts. */
export interface Line {
  bytes: Buffer;
  number: number;
  offset: number;
}

async function openToRead(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}

/**
 * Whole lines of a file from a byte offset on, a chunk's worth at a time; bytes after the last newline are left out.
 * Line buffers are views that stay valid after the next batch. A missing file has no lines.
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
      }
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    throw readError(error, path);
  } finally {
    await handle.close();
  }
}

/** The end of a file: its last whole lines and where they lie. */
export interface Tail {
  /** Bytes in the file. */
  size: number;
  /** End of the last newline-terminated line; 0 without one. */
  wholeEnd: number;
  /** Last whole lines, oldest first, without newlines. */
  lines: { bytes: Buffer; offset: number }[];
  /** Whether `lines` starts at the start of the file. */
  complete: boolean;
}

/** The last whole lines within the last `reach` bytes of a file. A missing file is empty. */
export async function readTail(path: string, reach: number): Promise<Tail> {
  const handle = await openToRead(path);
  if (handle === null) return { size: 0, wholeEnd: 0, lines: [], complete: true };
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - reach);
    const bytes = Buffer.allocUnsafe(size - from);
    let filled = 0;
    while (filled < bytes.byteLength) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.byteLength - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { size, complete: from === 0, ...wholeLines(bytes.subarray(0, filled), from) };
  } catch (error) {
    throw readError(error, path);
  } finally {
    await handle.close();
  }
}

/** The tail with at least one whole line in it, however long that line is, unless the file has none. */
export async function readLastLine(path: string): Promise<Tail> {
  for (let reach = 64 * 2 ** 10; ; reach *= 4) {
    const tail = await readTail(path, reach);
    if (tail.complete || tail.lines.length > 0) return tail;
  }
}

function wholeLines(bytes: Buffer, from: number): Pick<Tail, 'wholeEnd' | 'lines'> {
  const last = bytes.lastIndexOf(newline);
  // Not at the start of the file, the first piece is the end of a line that began before.
  let start = from === 0 ? 0 : bytes.indexOf(newline) + 1;
  if (last === -1) return { wholeEnd: from === 0 ? 0 : from, lines: [] };
  const lines: Tail['lines'] = [];
  while (start <= last) {
    const end = bytes.indexOf(newline, start);
    lines.push({ bytes: bytes.subarray(start, end), offset: from + start });
    start = end + 1;
  }
  return { wholeEnd: from + last + 1, lines };
}
