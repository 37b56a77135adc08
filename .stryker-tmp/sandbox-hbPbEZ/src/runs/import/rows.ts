/** Rows of files that other programs wrote: JSON lines, comma- or tab-separated text, parquet. Streamed. */
import { createReadStream } from 'node:fs';
import { parseOrUndefined } from '../../shared/json.ts';
import { isObject } from '../../shared/experiment/resolve.ts';
import { codeOf } from '../../shared/systemError.ts';
import { readError } from '../fileErrors.ts';
import { RunError } from '../runError.ts';
import { csvRecords } from './csv.ts';

export type Row = Record<string, unknown>;

/** A row and its number in the file, from 1; for JSON lines, of its line. */
export interface PlacedRow {
  row: Row;
  at: number;
}

/**
 * By the file's name: `.parquet`, `.csv`, `.tsv`, and JSON lines for all others.
 * @param leave takes lines and records that are no rows, and reading goes on; without it they are thrown
 * @throws RunError `format`, `unreadable`
 */
export async function* rowsOf(file: string, leave?: (at: number, what: string) => void): AsyncGenerator<PlacedRow> {
  const ending = /\.(parquet|csv|tsv)$/i.exec(file)?.[1]?.toLowerCase();
  try {
    if (ending === 'parquet') yield* parquetRows(file);
    else if (ending === undefined) yield* jsonRows(file, leave);
    else yield* csvRows(file, ending === 'csv' ? ',' : '\t', leave);
  } catch (error) {
    throw codeOf(error) === '' ? error : readError(error, file);
  }
}

async function* textOf(file: string): AsyncGenerator<string> {
  let first = true;
  for await (const piece of createReadStream(file, 'utf8')) {
    const text = String(piece);
    yield first ? text.replace(/^\uFEFF/, '') : text;
    first = false;
  }
}

async function* jsonRows(file: string, leave?: (at: number, what: string) => void): AsyncGenerator<PlacedRow> {
  let carried = '';
  let at = 0;
  const read = (line: string): PlacedRow[] => {
    at += 1;
    if (line.trim() === '') return [];
    const row = parseOrUndefined(line);
    if (isObject(row)) return [{ row, at }];
    const what = 'the line is no JSON object';
    if (leave === undefined) throw unreadable(file, at, what, 'Write one object a line.');
    leave(at, what);
    return [];
  };
  for await (const piece of textOf(file)) {
    const lines = (carried + piece).split('\n');
    carried = lines.pop() ?? '';
    for (const line of lines) yield* read(line);
  }
  yield* read(carried);
}

async function* csvRows(
  file: string,
  separator: string,
  leave?: (at: number, what: string) => void,
): AsyncGenerator<PlacedRow> {
  let head: string[] | null = null;
  let at = 0;
  for await (const record of csvRecords(textOf(file), separator)) {
    at += 1;
    if (head === null) head = record.map((name) => name.trim());
    else if (record.length === head.length) {
      const names = head;
      yield { row: Object.fromEntries(record.map((field, i) => [names[i] ?? '', field])), at };
    } else if (record.length > 1 || record[0] !== '') {
      const what = `record ${at} has ${record.length} fields, and the head names ${head.length}`;
      if (leave === undefined) {
        throw unreadable(file, undefined, what, 'Quote fields that hold a separator or a line end.');
      }
      leave(at, what);
    }
  }
}

async function* parquetRows(file: string): AsyncGenerator<PlacedRow> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const buffer = await asyncBufferFromFile(file);
  let from = 0;
  try {
    const metadata = await parquetMetadataAsync(buffer);
    for (const group of metadata.row_groups) {
      const to = from + Number(group.num_rows);
      const rows = await parquetReadObjects({ file: buffer, metadata, rowStart: from, rowEnd: to });
      for (const row of rows) yield { row: Object.fromEntries(Object.entries(row).map(plain)), at: ++from };
    }
  } catch (error) {
    if (codeOf(error) !== '' || !(error instanceof Error)) throw error;
    throw unreadable(file, undefined, `it cannot be read as parquet: ${error.message}`, 'Write it again with snappy.');
  }
}

/** Integers of 64 bits as numbers, absent values as null. */
const plain = ([name, value]: [string, unknown]): [string, unknown] => [name, plainValue(value)];

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === undefined || value instanceof Date) return value ?? null;
  if (Array.isArray(value)) return value.map(plainValue);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(plain)) : value;
}

const unreadable = (path: string, line: number | undefined, what: string, remedy: string): RunError =>
  new RunError('format', { path, ...(line === undefined ? {} : { line }), what, remedy });
