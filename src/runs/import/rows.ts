/** Rows of files that other programs wrote: JSON lines, comma- or tab-separated text, parquet. Streamed. */
import { createReadStream } from 'node:fs';
import * as l10n from '@vscode/l10n';
import { isTooDeep, parseExactly, tooDeep } from '../../shared/json.ts';
import { parseAsWritten } from '../../shared/writtenNumbers.ts';
import { isObject } from '../../shared/experiment/resolve.ts';
import { codeOf } from '../../shared/systemError.ts';
import { defined } from '../../shared/defined.ts';
import { readError } from '../files/fileErrors.ts';
import { RunError } from '../store/runError.ts';
import { csvRecords } from './csv.ts';
import { parquetRows } from './parquetRows.ts';
import { TooLong, textLines, tooLong } from './textLines.ts';
import { NotUtf8, utf8Pieces } from '../../shared/text/utf8.ts';
import { withoutMark } from '../../shared/text/byteOrderMark.ts';

export type Row = Record<string, unknown>;

/** A row and its number in the file, from 1; for JSON lines, of its line. */
export interface PlacedRow {
  row: Row;
  at: number;
  /** The row with each number as it is written, 5.00: for what becomes text by `JSON.stringify`. */
  written: Row;
}

/**
 * By the file's name: `.parquet`, `.csv`, `.tsv`, and JSON lines for all others.
 * @param dist the folder of built files
 * @param leave receives lines and records that are no rows, and reading continues; without it they are errors
 * @throws RunError `format`, `unreadable`
 */
export async function* rowsOf(
  file: string,
  dist: URL,
  leave?: (at: number, what: string) => void,
): AsyncGenerator<PlacedRow> {
  const ending = /\.(parquet|csv|tsv)$/i.exec(file)?.[1]?.toLowerCase();
  try {
    if (ending === 'parquet') yield* parquetTexts(file, dist);
    else if (ending === undefined) yield* jsonRows(file, leave);
    else yield* csvRows(file, ending === 'csv' ? ',' : '\t', leave);
  } catch (error) {
    if (error instanceof NotUtf8) throw unreadable(file, error.line, error.message, error.remedy);
    if (error instanceof TooLong)
      throw unreadable(file, undefined, error.message, l10n.t('Close the quotes of each field.'));
    throw codeOf(error) === '' ? error : readError(error, file);
  }
}

async function* textOf(file: string): AsyncGenerator<string> {
  let first = true;
  for await (const text of utf8Pieces(createReadStream(file))) {
    yield first ? withoutMark(text) : text;
    first = false;
  }
}

async function* jsonRows(file: string, leave?: (at: number, what: string) => void): AsyncGenerator<PlacedRow> {
  for await (const { text, at, length } of textLines(textOf(file))) {
    if (text?.trim() === '') continue;
    const read = text === null ? null : rowOf(text);
    if (read !== null) {
      yield { ...read, at };
      continue;
    }
    const what = text === null ? tooLong(length) : isTooDeep(text) ? tooDeep() : l10n.t('the line is no JSON object');
    if (leave === undefined) throw unreadable(file, at, what, l10n.t('Write one object a line.'));
    leave(at, what);
  }
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
      const row = Object.fromEntries(record.map((field, i) => [names[i] ?? '', field]));
      yield { row, at, written: row };
    } else if (record.length > 1 || record[0] !== '') {
      const what = l10n.t('record {0} has {1} fields, and the head names {2}', at, record.length, head.length);
      if (leave === undefined) {
        throw unreadable(file, undefined, what, l10n.t('Quote fields that hold a separator or a line end.'));
      }
      leave(at, what);
    }
  }
}

async function* parquetTexts(file: string, dist: URL): AsyncGenerator<PlacedRow> {
  let at = 0;
  for await (const text of parquetRows(file, dist)) {
    at += 1;
    const read = rowOf(text);
    if (read === null)
      throw unreadable(file, at, tooDeep(), l10n.t('Write fewer lists and objects inside one another.'));
    yield { ...read, at };
  }
}

/** Null for text that is no JSON object, or too deep. */
function rowOf(text: string): Omit<PlacedRow, 'at'> | null {
  const row = parseExactly(text);
  if (!isObject(row)) return null;
  const written = parseAsWritten(text);
  return { row, written: isObject(written) ? written : row };
}

const unreadable = (path: string, line: number | undefined, what: string, remedy: string): RunError =>
  new RunError('format', { path, ...defined({ line }), what, remedy });
