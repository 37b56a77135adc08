import { open } from 'node:fs/promises';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from '../files/fileErrors.ts';
import type { RecordColumns } from './recordColumns.ts';
import { isHeader, rowBytes } from './recordRow.ts';

/** Rows taken in without letting others in between: some milliseconds. */
const chunkRows = 4 * 1024;

/** The usable part of an index file. */
export interface IndexReading {
  /** Rows of the file that are good from its start on; those after them must be written again. */
  goodRows: number;
  /** Why the rest was not used; null when all of it was. */
  damage: string | null;
}

/**
 * Reads on from the rows that `columns` already has, up to the first row that is damaged or lies beyond `fileEnd`, the
 * end of the records' last whole line. A missing index, or one of another layout, yields nothing.
 */
export async function readIndex(
  path: string,
  kind: number,
  columns: RecordColumns,
  fileEnd: number,
): Promise<IndexReading> {
  let handle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { goodRows: 0, damage: fileEnd > 0 ? 'it is missing' : null };
    throw readError(error, path);
  }
  try {
    const header = Buffer.alloc(rowBytes);
    await handle.read(header, 0, rowBytes, 0);
    if (!isHeader(header, kind)) return { goodRows: 0, damage: 'its header is damaged or of another layout' };
    const { size } = await handle.stat();
    const rows = Math.floor(size / rowBytes) - 1;
    if (columns.count > rows) return { goodRows: rows, damage: null };
    columns.reserve(rows);
    const bytes = new Uint8Array(Math.min(chunkRows, rows - columns.count) * rowBytes);
    while (columns.count < rows) {
      const wanted = Math.min(chunkRows, rows - columns.count);
      const { bytesRead } = await handle.read(bytes, 0, wanted * rowBytes, (columns.count + 1) * rowBytes);
      const whole = Math.floor(bytesRead / rowBytes);
      const good = columns.decode(bytes.subarray(0, whole * rowBytes), fileEnd);
      if (good < wanted) return { goodRows: columns.count, damage: `row ${columns.count} does not fit the records` };
    }
    return { goodRows: columns.count, damage: null };
  } catch (error) {
    throw readError(error, path);
  } finally {
    await handle.close();
  }
}
