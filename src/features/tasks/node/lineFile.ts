/** The lines of a file of tasks by their place, read by ranges: the file may be larger than memory. */
import type { Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { Breather } from '../../../runs/files/breather.ts';
import { readError } from '../../../runs/files/fileErrors.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { TaskFileError } from './taskFileError.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const newline = 10;
const chunkBytes = 2 ** 20;
/** Lines next to each other are read together, up to this many bytes. */
const rangeBytes = 2 ** 20;

/** The places of lines: blank ones are left out, and blanks around the others. */
export interface LinePlaces {
  count: number;
  /** In bytes. */
  offset: Float64Array;
  length: Uint32Array;
}

/** The marks by which another program's change of a file is detected. */
export interface FileStamp {
  size: number;
  modified: number;
}

/** Places that grow. */
export class GrowingPlaces implements LinePlaces {
  count = 0;
  offset = new Float64Array(0);
  length = new Uint32Array(0);
  /** 1-based number of the line in its file. */
  line = new Uint32Array(0);

  push(offset: number, length: number, line: number): void {
    if (this.count === this.offset.length) this.#grow(Math.max(1024, this.count * 2));
    this.offset[this.count] = offset;
    this.length[this.count] = length;
    this.line[this.count] = line;
    this.count += 1;
  }

  #grow(size: number): void {
    const [offset, length, line] = [new Float64Array(size), new Uint32Array(size), new Uint32Array(size)];
    offset.set(this.offset);
    length.set(this.length);
    line.set(this.line);
    this.offset = offset;
    this.length = length;
    this.line = line;
  }
}

/** @throws TaskFileError `gone`, RunError `unreadable` */
export async function stampOf(path: string): Promise<FileStamp> {
  try {
    return stampIn(await stat(path));
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new TaskFileError('gone', path, { cause: error }) : readError(error, path);
  }
}

export const stampIn = ({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): FileStamp => ({ size, modified: mtimeMs });

export const isSameStamp = (a: FileStamp, b: FileStamp): boolean => a.size === b.size && a.modified === b.modified;

/** The places of a whole file's lines, the last one with or without its newline. @throws RunError `unreadable` */
export async function findLines(path: string, signal?: AbortSignal): Promise<GrowingPlaces> {
  const places = new GrowingPlaces();
  const breather = new Breather();
  const handle = await opened(path);
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let position = 0;
    let line = 1;
    /** Start of the current line; −1 before its first non-blank byte. */
    let start = -1;
    let end = 0;
    const close = (): void => {
      if (start !== -1) places.push(start, end - start, line);
      start = -1;
      line += 1;
    };
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
      if (bytesRead === 0) break;
      let at = position === 0 && isMark(chunk) ? 3 : 0;
      while (at < bytesRead) {
        const found = chunk.subarray(0, bytesRead).indexOf(newline, at);
        const stop = found === -1 ? bytesRead : found;
        let [from, to] = [at, stop];
        while (from < to && isBlank(chunk[from])) from += 1;
        while (to > from && isBlank(chunk[to - 1])) to -= 1;
        if (from < to) {
          if (start === -1) start = position + from;
          end = position + to;
        }
        if (found !== -1) close();
        at = stop + 1;
      }
      position += bytesRead;
      await breather.breathe();
    }
    close();
    return places;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw readError(error, path);
  } finally {
    await handle.close();
  }
}

const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 13 || byte === 9;
const isMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw readError(error, path);
  }
}

/** Reads lines by their place; holds the file open between. */
export class LineReader {
  readonly path: string;
  #handle: Promise<FileHandle> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** The bytes of lines, in the order of the places given, which is ascending. @throws RunError `unreadable` */
  async *read(places: LinePlaces, rows: ArrayLike<number>): AsyncGenerator<{ row: number; bytes: Buffer }> {
    const handle = await this.handle();
    for (let i = 0; i < rows.length;) {
      const first = i;
      const start = places.offset[rows[first] ?? outOfRange()] ?? outOfRange();
      let end = start;
      for (; i < rows.length; i++) {
        const row = rows[i] ?? outOfRange();
        const offset = places.offset[row] ?? outOfRange();
        const reach = offset + (places.length[row] ?? outOfRange());
        // Bytes between two lines are read too while that is cheaper than another read.
        if (i > first && (reach - start > rangeBytes || offset - end > 4096 || offset < end)) break;
        end = reach;
      }
      const bytes = await this.#bytes(handle, start, end);
      for (let k = first; k < i; k++) {
        const row = rows[k] ?? outOfRange();
        const from = (places.offset[row] ?? outOfRange()) - start;
        yield { row, bytes: bytes.subarray(from, from + (places.length[row] ?? outOfRange())) };
      }
    }
  }

  /** The file itself, opened if it is not yet: what is read of it stays there when it is removed or replaced. @throws RunError */
  handle(): Promise<FileHandle> {
    return (this.#handle ??= opened(this.path));
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await (await handle)?.close();
  }

  async #bytes(handle: FileHandle, start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(end - start);
    try {
      for (let filled = 0; filled < bytes.byteLength;) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.byteLength - filled, start + filled);
        if (bytesRead === 0) throw new Error(l10n.t('the file became shorter while it was read'));
        filled += bytesRead;
      }
    } catch (error) {
      throw readError(error, this.path);
    }
    return bytes;
  }
}
