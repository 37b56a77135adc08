/**
 * Files of JSON lines that several processes may extend at once, without the lease: every event is one line in one
 * write at the end of the file. An unreadable line is reported and stays.
 */
import { open, readFile, type FileHandle } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { codeOf } from '../../shared/systemError.ts';
import { readError, writeError } from './fileErrors.ts';
import { parseJson, validate } from './parseLine.ts';
import { RunError } from '../store/runError.ts';

export interface SharedLines<T> {
  events: readonly T[];
  /** Lines that could not be read, each with file, line and remedy. */
  damaged: readonly RunError[];
}

const newline = 10;

/** A missing file has none. @throws RunError `unreadable` */
export async function readSharedLines<T>(path: string, schema: z.ZodType<T>, version: number): Promise<SharedLines<T>> {
  const text = await textOf(path);
  const events: T[] = [];
  const damaged: RunError[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = { path, line: index + 1 };
    try {
      events.push(validate(parseJson(line, place), schema, version, place));
    } catch (error) {
      if (!RunError.is(error)) throw error;
      damaged.push(error);
    }
  }
  return { events, damaged };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw readError(error, path);
  }
}

/** On the device when it resolves. @throws RunError `disk-full`, `unwritable` */
export async function appendSharedLine(path: string, event: object): Promise<void> {
  try {
    const handle = await open(path, 'a+');
    try {
      // Ends a line that a crash tore: it stays, and this one is whole.
      const before = (await endsWhole(handle)) ? '' : '\n';
      const line = Buffer.from(`${before}${JSON.stringify(event)}\n`);
      const { bytesWritten } = await handle.write(line);
      if (bytesWritten < line.byteLength) throw new Error(l10n.t('only a part of it could be written'));
      await handle.datasync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw writeError(error, path);
  }
}

async function endsWhole(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] === newline;
}
